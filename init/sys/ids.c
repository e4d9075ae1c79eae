/* Ids: a change that is not re-read is not believed. */
#include "sys/ids.h"

#include <errno.h>
#include <grp.h>
#include <unistd.h>

int ids_clear_groups(void)
{
	if (setgroups(0, NULL) < 0)
		return -errno;
	return getgroups(0, NULL) == 0 ? 0 : -EBADE;
}

bool ids_no_groups(void)
{
	gid_t group[2];
	int n = getgroups(2, group);
	return n == 0 || (n == 1 && group[0] == getegid());
}

int ids_set_gid(uint32_t gid)
{
	gid_t real, effective, saved;
	if (setresgid(gid, gid, gid) < 0 || getresgid(&real, &effective, &saved) < 0)
		return -errno;
	return real == gid && effective == gid && saved == gid ? 0 : -EBADE;
}

int ids_set_uid(uint32_t uid)
{
	uid_t real, effective, saved;
	if (setresuid(uid, uid, uid) < 0 || getresuid(&real, &effective, &saved) < 0)
		return -errno;
	return real == uid && effective == uid && saved == uid ? 0 : -EBADE;
}

bool ids_regain(void)
{
	const uid_t keep = (uid_t)-1;
	return setresuid(0, 0, 0) == 0 || setresuid(keep, 0, keep) == 0 || setresuid(0, keep, keep) == 0 ||
	       setresgid(0, 0, 0) == 0 || setresgid((gid_t)-1, 0, (gid_t)-1) == 0 || setgroups(0, NULL) == 0;
}
