/*
 * The host's side of the channel: one connection, from this run's own init, under the protocol; frames to logs, live
 * line and transcript; and the one loop that also watches init's end, the operator's signals and the host's own
 * deadline. Nothing that comes is parsed beyond its frame, but HELLO's and RECORD's JSON.
 */
#ifndef PROCTOR_INTAKE_SESSION_H
#define PROCTOR_INTAKE_SESSION_H

#include <jansson.h>
#include <sys/types.h>

#include "intake/recording.h"
#include "judge/fault.h"
#include "judge/run.h"
#include "wire/sample.h"
#include "wire/ticket.h"

enum { SESSION_GREETING_MS = 30000, SESSION_LINGER_MS = 5000 };

struct channel {
	/* What the caller sets up. */
	int listener;	   /* from channel_listen; taken over and closed */
	int folder;	   /* where the socket lies */
	const char *name;  /* the socket's name there; unlinked at the first accept */
	pid_t pid;	   /* init's, as the engine reported it; a child of ours */
	dev_t init_device; /* of the private copy of init */
	ino_t init_inode;
	int signals;	      /* a signalfd of SIGINT, SIGTERM and SIGHUP, or -1 */
	int logs[2];	      /* stdout, stderr: new files; the caller's */
	uint64_t log_bytes;   /* of each stream that may be kept */
	uint64_t deadline_ms; /* from the ticket to the end that the host itself forces */
	struct recording *recording;
	const uint8_t *key; /* CHAIN_KEY bytes */
	/* Writes the ticket; the facts are there to be weighed. -1 with the fault filled: nothing is sent. */
	int (*ticket)(void *context, const json_t *facts, struct ticket *t, struct fault *fault);
	void (*sample)(void *context, const struct sample *s);
	/* Ends the container at once (SIGKILL to init). */
	void (*stop)(void *context);
	void *context;
};

/* Makes the socket folder/name, mode 0600, and listens. The descriptor or -errno. */
int channel_listen(int folder, const char *name);

/*
 * Serves the channel until init has ended, and reaps it. Fills stage->observed (greeted, peer_verified, ticketed,
 * session_*, deadline_hit, cancelled, wall_ms, engine_status), stage->facts, record, log and frames. 0; or -1 with a
 * fault that is the run's verdict whatever the record says: the ticket's refusal, INFRA_DISK, or SCORER_FAULT. The
 * container has ended on every path.
 */
int channel_serve(struct channel *c, struct stage *stage, struct fault *fault);

#endif
