/* User and group ids of this process (credentials(7)): set all three, then read all three back. */
#ifndef PROCTOR_SYS_IDS_H
#define PROCTOR_SYS_IDS_H

#include <stdbool.h>
#include <stdint.h>

/* No supplementary groups. 0, -EPERM and the like, or -EBADE when groups are left all the same. */
int ids_clear_groups(void);

/* True when no supplementary group but the own gid is left. */
bool ids_no_groups(void);

/* Real, effective and saved id. 0, -errno, or -EBADE when one of the three is another than asked for. */
int ids_set_gid(uint32_t gid);
int ids_set_uid(uint32_t uid);

/* Tries to become user or group 0 again, in every way there is. True when one of them worked. */
bool ids_regain(void);

#endif
