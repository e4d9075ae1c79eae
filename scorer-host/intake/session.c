/* The host's side of the channel. */
#include "intake/session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "intake/peer.h"
#include "judge/record.h"
#include "sys/clock.h"
#include "sys/files.h"
#include "wire/session.h"

enum { READ = 1 << 16, READS_A_TURN = 16, SAMPLES_AT_ONCE = 8, SAMPLES_A_SECOND = 2 };

struct serving {
	struct channel *c;
	struct stage *stage;
	struct observed *seen;
	struct fault *fault;
	int socket, pidfd; /* -1: not there (any more) */
	struct session session;
	struct deframer deframer;
	uint64_t log_end[2]; /* where the stream's next byte is expected at least */
	uint64_t ticket_at;  /* when it was sent; 0 before */
	uint64_t deadline;   /* what is waited for must have come by then */
	uint64_t samples;
	bool stopping, failed;
	uint8_t frame[FRAME_FROM_INIT_MAX], in[READ];
};

int channel_listen(int folder, const char *name)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), r = 0;

	if (fd < 0)
		return -errno;
	/* Through the folder's descriptor: a run directory's path may be longer than an address. */
	if (snprintf(at.sun_path, sizeof at.sun_path, "/proc/self/fd/%d/%s", folder, name) >=
	    (int)sizeof at.sun_path)
		r = -ENAMETOOLONG;
	else if (bind(fd, (struct sockaddr *)&at, sizeof at) < 0 || fchmodat(folder, name, 0600, 0) < 0 ||
		 listen(fd, 1) < 0)
		r = -errno;
	if (r == 0)
		return fd;
	(void)close(fd);
	return r;
}

static void stop(struct serving *s)
{
	if (s->stopping)
		return;
	s->stopping = true;
	s->c->stop(s->c->context);
	s->deadline = clock_ms() + SESSION_LINGER_MS;
}

/* Our own failure, or the ticket's refusal: the verdict is the fault's, and nothing more is asked of the container. */
static void fail(struct serving *s)
{
	s->failed = true;
	stop(s);
}

static void disk(struct serving *s, const char *what, int error)
{
	(void)fault_set(s->fault,
	    error == ENOSPC || error == EDQUOT ? VERDICT_INFRA_DISK : VERDICT_SCORER_FAULT, "writing %s: %s",
	    what, strerror(error));
	fail(s);
}

/* What came is no protocol: init gets no second chance, and its container none to go on. */
static void broken(struct serving *s)
{
	s->seen->session_broken = true;
	s->session.state = SESSION_BROKEN;
	(void)close(s->socket);
	s->socket = -1;
	stop(s);
}

static void log_frame(struct serving *s, const struct message *m)
{
	int i = m->stream - 1;
	uint64_t offset = get_u64(m->payload), n = m->length - LOG_OFFSET;
	struct log_kept *log = &s->stage->log[i];
	int r;

	if (offset < s->log_end[i] || offset > UINT64_MAX - n || log->kept + n > s->c->log_bytes) {
		broken(s);
		return;
	}
	log->kept += n;
	log->bytes = s->log_end[i] = offset + n;
	log->dropped = log->bytes - log->kept;
	r = write_all(s->c->logs[i], m->payload + LOG_OFFSET, n);
	if (r < 0)
		disk(s, i ? "logs/stderr" : "logs/stdout", -r);
}

/* Sends all of the ticket; init reads it before anything else, so a socket that takes nothing is a dead peer. */
static int send_all(int socket, const uint8_t *bytes, size_t n)
{
	uint64_t end = clock_ms() + SESSION_LINGER_MS;
	while (n > 0) {
		ssize_t w = send(socket, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (w > 0) {
			bytes += w;
			n -= (size_t)w;
			continue;
		}
		if (w < 0 && errno != EAGAIN && errno != EINTR)
			return -errno;
		struct pollfd p = {socket, POLLOUT, 0};
		uint64_t now = clock_ms();
		if (now >= end || poll(&p, 1, (int)(end - now)) < 0)
			return -ETIMEDOUT;
	}
	return 0;
}

static void answer(struct serving *s)
{
	uint8_t *bytes = calloc(1, FRAME_MAX);
	struct frame_header header = {.type = FRAME_TICKET};
	struct frame frame;
	struct ticket t;
	int r;

	if (!bytes) {
		(void)fault_set(s->fault, VERDICT_SCORER_FAULT, "out of memory for the ticket");
		fail(s);
		return;
	}
	ticket_start(&t, bytes + FRAME_HEADER, TICKET_MAX);
	r = s->c->ticket(s->c->context, s->stage->facts, &t, s->fault);
	if (r == 0 && !ticket_fits(&t))
		r = fault_set(s->fault, VERDICT_TASK_INVALID,
		    "the command and its environment do not fit a ticket (%d bytes)", TICKET_MAX);
	if (r == 0) {
		header.length = (uint32_t)t.length;
		frame_pack(bytes, &header);
		frame = (struct frame){.header = header,
		    .bytes = bytes,
		    .size = t.length + FRAME_OVERHEAD,
		    .payload = bytes + FRAME_HEADER,
		    .tag = bytes + FRAME_HEADER + t.length};
		if (recording_ticket(s->c->recording, bytes, frame.size) < 0 ||
		    session_ticket(&s->session, &frame, s->c->key) < 0)
			r = fault_set(s->fault, VERDICT_SCORER_FAULT, "the ticket could not be kept");
	}
	if (r == 0) {
		s->seen->ticketed = true;
		s->ticket_at = clock_ms();
		s->deadline = s->ticket_at + s->c->deadline_ms;
		(void)send_all(s->socket, bytes, frame.size); /* a dead peer shows as its end */
	}
	explicit_bzero(bytes, FRAME_MAX);
	free(bytes);
	if (r < 0)
		fail(s);
}

/* init sends one a second: more would only fill the disk with a transcript. */
static void sample_frame(struct serving *s, const struct message *m)
{
	struct sample sample;

	if (++s->samples > SAMPLES_AT_ONCE + (clock_ms() - s->ticket_at) / 1000 * SAMPLES_A_SECOND) {
		broken(s);
		return;
	}
	sample_unpack(m->payload, &sample);
	s->c->sample(s->c->context, &sample);
}

static void accepted(struct serving *s, const struct frame *f, const struct message *m)
{
	struct fault why;
	int r = recording_add(s->c->recording, f->bytes, f->size);

	if (r < 0) {
		disk(s, "transcript.bin", -r);
		return;
	}
	switch (m->type) {
	case FRAME_HELLO:
		s->stage->facts = payload_parse(m->payload, m->length, &why);
		if (!s->stage->facts) {
			broken(s);
			return;
		}
		s->seen->greeted = true;
		answer(s);
		break;
	case FRAME_LOG:
		log_frame(s, m);
		break;
	case FRAME_SAMPLE:
		sample_frame(s, m);
		break;
	case FRAME_RECORD:
		s->stage->record = payload_parse(m->payload, m->length, &why);
		if (!s->stage->record)
			broken(s);
		break;
	default: /* BYE: the session's state says so */
		break;
	}
}

/* Takes in what has come, a bounded amount a turn. */
static void receive(struct serving *s)
{
	for (int turn = 0; turn < READS_A_TURN && s->socket >= 0 && !s->failed; turn++) {
		ssize_t n = recv(s->socket, s->in, sizeof s->in, MSG_DONTWAIT);
		size_t at = 0;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0) {
			(void)close(s->socket);
			s->socket = -1;
			if (!s->stopping)
				s->deadline = clock_ms() + SESSION_LINGER_MS;
			return;
		}
		while (at < (size_t)n && s->socket >= 0 && !s->failed) {
			struct frame f;
			struct message m;
			size_t used;
			int r = deframe_feed(&s->deframer, s->in + at, (size_t)n - at, &used, &f);
			at += used;
			if (r == 0)
				break;
			if (r < 0 || session_accept(&s->session, &f, &m) < 0)
				broken(s);
			else
				accepted(s, &f, &m);
		}
	}
}

/* The one connection. Whoever comes first is the only one; the door is gone for everybody after. */
static void admit(struct serving *s)
{
	int fd = accept4(s->c->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	(void)close(s->c->listener);
	s->c->listener = -1;
	(void)unlinkat(s->c->folder, s->c->name, 0);
	if (!peer_is_init(fd, s->c->pid, s->c->init_device, s->c->init_inode)) {
		(void)close(fd);
		stop(s);
		return;
	}
	s->seen->peer_verified = true;
	s->socket = fd;
}

/* Reaps init: 1 when it has ended. Its wait status is what the kernel says of the container's end. */
static int ended(struct serving *s)
{
	siginfo_t info;
	memset(&info, 0, sizeof info);
	if (waitid(P_PID, (id_t)s->c->pid, &info, WEXITED | WNOHANG) < 0)
		return 1;
	if (info.si_pid == 0)
		return 0;
	s->seen->engine_status = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
	return 1;
}

static void expired(struct serving *s)
{
	if (s->stopping) {
		/* It was told to end and did not: the engine's removal and the group's kill come next. */
		(void)close(s->pidfd);
		s->pidfd = -1;
		return;
	}
	if (s->seen->ticketed && s->socket >= 0)
		s->seen->deadline_hit = true;
	stop(s);
}

static void loop(struct serving *s)
{
	s->deadline = clock_ms() + SESSION_GREETING_MS;
	while (s->pidfd >= 0) {
		struct pollfd p[4] = {{s->pidfd, POLLIN, 0}, {s->c->listener, POLLIN, 0},
		    {s->socket, POLLIN, 0}, {s->stopping ? -1 : s->c->signals, POLLIN, 0}};
		uint64_t now = clock_ms();
		if (now >= s->deadline) {
			expired(s);
			continue;
		}
		if (poll(p, 4, s->deadline - now > 60000 ? 60000 : (int)(s->deadline - now)) < 0)
			continue;
		if (p[3].revents) {
			s->seen->cancelled = true;
			stop(s);
		}
		if (p[1].revents)
			admit(s);
		if (p[2].revents)
			receive(s);
		if (p[0].revents && ended(s)) {
			(void)close(s->pidfd);
			s->pidfd = -1;
		}
	}
	if (s->ticket_at)
		s->seen->wall_ms = clock_ms() - s->ticket_at;
	/* What init sent before it died is in the socket still, and after it comes the end: its peer is gone. A candidate
	 * never holds this socket. */
	for (int i = 0; s->socket >= 0 && !s->failed && i < 1 << 16; i++) {
		struct pollfd p = {s->socket, POLLIN, 0};
		if (poll(&p, 1, 0) <= 0)
			break;
		receive(s);
	}
}

int channel_serve(struct channel *c, struct stage *stage, struct fault *fault)
{
	struct serving *s = calloc(1, sizeof *s);
	int failed;

	stage->observed.engine_status = -1;
	stage->observed.wall_ms = LIMIT_NONE;
	if (!s) {
		c->stop(c->context);
		return fault_set(fault, VERDICT_SCORER_FAULT, "out of memory for the session");
	}
	s->c = c;
	s->stage = stage;
	s->seen = &stage->observed;
	s->fault = fault;
	s->socket = -1;
	s->pidfd = (int)syscall(SYS_pidfd_open, c->pid, 0);
	session_start(&s->session);
	deframe_start(&s->deframer, s->frame, sizeof s->frame);
	if (s->pidfd < 0) {
		(void)fault_set(fault, VERDICT_ENGINE_FAILED, "pidfd_open of init (%d): %s", (int)c->pid,
		    strerror(errno));
		fail(s);
	}
	loop(s);
	stage->frames = s->session.frames;
	s->seen->session_whole = session_whole(&s->session) && !deframe_partial(&s->deframer);
	if (s->socket >= 0)
		(void)close(s->socket);
	if (c->listener >= 0) {
		(void)close(c->listener);
		(void)unlinkat(c->folder, c->name, 0);
		c->listener = -1;
	}
	chain_wipe(&s->session.chain);
	failed = s->failed;
	explicit_bzero(s, sizeof *s);
	free(s);
	return failed ? -1 : 0;
}
