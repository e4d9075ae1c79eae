/*
 * transcript.bin: every accepted frame in order (PROTOCOL.md section 9). The TICKET holds the run's key, so its bytes
 * stay in memory and leave a hole in the file until the container is gone.
 */
#ifndef PROCTOR_INTAKE_RECORDING_H
#define PROCTOR_INTAKE_RECORDING_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct recording {
	int fd;		 /* the caller's; a new empty file */
	off_t end, hole; /* where the next frame goes, and where the TICKET belongs */
	uint8_t *ticket; /* owned until recording_finish */
	size_t ticket_size;
};

void recording_start(struct recording *t, int fd);

/* Appends a frame of init's. 0 or -errno (-ENOSPC: the disk is full). */
int recording_add(struct recording *t, const uint8_t *frame, size_t n);

/* Keeps the TICKET's place. 0 or -ENOMEM. */
int recording_ticket(struct recording *t, const uint8_t *frame, size_t n);

/* Writes the TICKET into its hole and wipes it from memory. Only when the container is gone. 0 or -errno. */
int recording_finish(struct recording *t);

/* Wipes the TICKET without writing it. */
void recording_abandon(struct recording *t);

#endif
