/*
 * A number of one's own among all processes of the host, for as long as the process lives (flock(2)) — and longer, while
 * what it was taken for is still there: the number's file names that, and whoever takes it next asks first.
 */
#ifndef PROCTOR_HOST_SYS_SLOT_H
#define PROCTOR_HOST_SYS_SLOT_H

enum { SLOT_NAME = 64 };

/*
 * Takes the first free number below count and writes down what for; folder is made when missing. A number is not free
 * while it is held, or while there() says of the name in its file that it still is. *number is it; the descriptor holds
 * it until it is closed. name: below SLOT_NAME bytes. -EBUSY when all are taken, or -errno.
 */
int slot_take(
    const char *folder, unsigned count, const char *name, int (*there)(const char *name), unsigned *number);

#endif
