/* Borrowed ids. */
#include "sys/fsids.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef SYS_setfsuid32 /* where the first numbers took 16 bits */
enum { SET_UID = SYS_setfsuid32, SET_GID = SYS_setfsgid32 };
#else
enum { SET_UID = SYS_setfsuid, SET_GID = SYS_setfsgid };
#endif

/* The call returns what was; an id that does not exist changes nothing and asks. */
static bool set(long call, uint32_t id)
{
	syscall(call, id);
	return (uint32_t)syscall(call, -1) == id;
}

bool fsids_borrow(const struct fsids *ids)
{
	if (ids->uid < 0)
		return true;
	if (set(SET_GID, (uint32_t)ids->gid) && set(SET_UID, (uint32_t)ids->uid)) {
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
		return true;
	}
	fsids_return(ids);
	return false;
}

void fsids_return(const struct fsids *ids)
{
	if (ids->uid < 0)
		return;
	set(SET_UID, geteuid());
	set(SET_GID, getegid());
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
