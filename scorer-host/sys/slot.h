/* A number of one's own among all processes of the host, for as long as the process lives (flock(2)). */
#ifndef PROCTOR_HOST_SYS_SLOT_H
#define PROCTOR_HOST_SYS_SLOT_H

/* Takes the first free number below count; folder is made when missing. *number is it; the descriptor holds it until it
 * is closed. -EBUSY when all are taken, or -errno. */
int slot_take(const char *folder, unsigned count, unsigned *number);

#endif
