/* Capabilities by their raw system calls: libcap would bring a heap. */
#include "sys/caps.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int caps_get(struct caps *c)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct d[_LINUX_CAPABILITY_U32S_3] = {{0}};
	if (syscall(SYS_capget, &header, d) < 0)
		return -errno;
	c->effective = d[0].effective | (uint64_t)d[1].effective << 32;
	c->permitted = d[0].permitted | (uint64_t)d[1].permitted << 32;
	c->inheritable = d[0].inheritable | (uint64_t)d[1].inheritable << 32;
	return 0;
}

int caps_set(const struct caps *c)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct d[_LINUX_CAPABILITY_U32S_3] = {
	    {(uint32_t)c->effective, (uint32_t)c->permitted, (uint32_t)c->inheritable},
	    {(uint32_t)(c->effective >> 32), (uint32_t)(c->permitted >> 32),
		(uint32_t)(c->inheritable >> 32)},
	};
	return syscall(SYS_capset, &header, d) < 0 ? -errno : 0;
}

int caps_bounding(uint64_t *set)
{
	*set = 0;
	for (unsigned cap = 0; cap < 64; cap++) {
		int r = prctl(PR_CAPBSET_READ, (unsigned long)cap, 0UL, 0UL, 0UL);
		if (r < 0 && (cap == 0 || errno != EINVAL))
			return -errno;
		if (r < 0)
			break;
		if (r == 1)
			*set |= 1ULL << cap;
	}
	return 0;
}

int caps_bounding_clear(void)
{
	uint64_t set;
	int r = caps_bounding(&set);
	if (r < 0)
		return r;
	for (unsigned long cap = 0; cap < 64; cap++) {
		if (!(set >> cap & 1))
			continue;
		if (prctl(PR_CAPBSET_DROP, cap, 0UL, 0UL, 0UL) < 0)
			return -errno;
		if (prctl(PR_CAPBSET_READ, cap, 0UL, 0UL, 0UL) != 0)
			return -EBADE;
	}
	return 0;
}

int caps_ambient_clear(void)
{
	return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0UL, 0UL, 0UL) < 0 ? -errno : 0;
}

int caps_no_new_privs(void)
{
	return prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL) < 0 ? -errno : 0;
}

int caps_has_no_new_privs(void)
{
	int r = prctl(PR_GET_NO_NEW_PRIVS, 0UL, 0UL, 0UL, 0UL);
	return r < 0 ? -errno : r;
}
