/*
 * Lays the evidence down: score and participant's view first, then the statement over every file that is there, then
 * the signature; each complete and synced before it has its name. Must never leave a statement that names less than
 * the directory holds.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "evidence/canonical.h"
#include "evidence/dsse.h"
#include "evidence/evidence.h"
#include "evidence/statement.h"
#include "sys/files.h"

int evidence_reserve(int folder, struct fault *fault)
{
	int fd = openat(folder, EVIDENCE_RESERVE, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int r = fd < 0 ? errno : posix_fallocate(fd, 0, EVIDENCE_RESERVE_BYTES);

	if (fd >= 0)
		(void)close(fd);
	if (r == 0)
		return 0;
	fault_set(
	    fault, VERDICT_INFRA_DISK, "the run directory cannot hold its 24MiB reserve: %s", strerror(r));
	return fault_hint(fault, "free space, then type the same command again");
}

static int write_once(int folder, const char *name, const char *bytes, size_t n)
{
	char part[64];
	int fd, r;

	(void)snprintf(part, sizeof part, ".%s.part", name);
	fd = openat(folder, part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	r = write_all(fd, bytes, n);
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	if (close(fd) < 0 && r == 0)
		r = -errno;
	if (r == 0 && renameat(folder, part, folder, name) < 0)
		r = -errno;
	if (r < 0)
		(void)unlinkat(folder, part, 0);
	return r;
}

/* Some filesystems hand freed blocks out again only after a commit: one more try behind a sync. */
static int write_file(
    const struct run *run, const char *name, const char *bytes, size_t n, struct fault *fault)
{
	int r = write_once(run->folder_fd, name, bytes, n);

	if (r == -ENOSPC || r == -EDQUOT) {
		(void)syncfs(run->folder_fd);
		r = write_once(run->folder_fd, name, bytes, n);
	}
	if (r == 0)
		return 0;
	fault_set(fault, VERDICT_INFRA_DISK, "cannot write %s/%s: %s", run->folder ? run->folder : "", name,
	    strerror(-r));
	return fault_hint(fault, "free space, then type the same command again");
}

static int no_memory(struct fault *fault, const char *name)
{
	return fault_set(fault, VERDICT_SCORER_FAULT, "no memory for %s", name);
}

/* Takes value over. */
static int write_json(const struct run *run, const char *name, json_t *value, struct fault *fault)
{
	size_t n = 0;
	char *bytes = canonical_encode(value, &n);
	int r = bytes ? write_file(run, name, bytes, n, fault) : no_memory(fault, name);

	free(bytes);
	json_decref(value);
	return r;
}

static int nothing_odd(const struct run *run, const struct subjects *s, struct fault *fault)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->list[i].kind == SUBJECT_IRREGULAR)
			return fault_set(fault, VERDICT_SCORER_FAULT,
			    "%s/%s is no regular file, so nothing can be stated about it",
			    run->folder ? run->folder : "", s->list[i].name);
		else if (s->list[i].kind == SUBJECT_UNREADABLE)
			return fault_set(fault, VERDICT_INFRA_DISK, "cannot read %s/%s: %s",
			    run->folder ? run->folder : "", s->list[i].name, strerror(s->list[i].error));
	return 0;
}

static int write_statement(const struct run *run, const struct signing_key *key, struct fault *fault)
{
	struct subjects s;
	int r = subjects_walk(run->folder_fd, &s);
	json_t *statement = NULL;
	char *bytes = NULL, *envelope = NULL;
	size_t n = 0, length = 0;

	if (r < 0)
		r = fault_set(fault, r == -ENOMEM ? VERDICT_SCORER_FAULT : VERDICT_INFRA_DISK,
		    "cannot read the run directory %s: %s", run->folder ? run->folder : "", strerror(-r));
	else
		r = nothing_odd(run, &s, fault);
	if (r == 0) {
		statement = statement_json(run, &s);
		bytes = canonical_encode(statement, &n);
		envelope = bytes ? dsse_seal(key, bytes, n, &length) : NULL;
		r = envelope ? write_file(run, AUDIT_FILE, bytes, n, fault) : no_memory(fault, AUDIT_FILE);
	}
	if (r == 0)
		r = write_file(run, ENVELOPE_FILE, envelope, length, fault);
	if (r == 0 && fsync(run->folder_fd) < 0)
		r = fault_set(
		    fault, VERDICT_INFRA_DISK, "cannot sync the run directory: %s", strerror(errno));
	json_decref(statement);
	free(bytes);
	free(envelope);
	subjects_free(&s);
	return r;
}

int evidence_write(const struct run *run, const struct signing_key *key, struct fault *fault)
{
	static const char *const ours[] = {
	    EVIDENCE_RESERVE, SCORE_FILE, PARTICIPANT_FILE, AUDIT_FILE, ENVELOPE_FILE};

	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
		if (unlinkat(run->folder_fd, ours[i], 0) < 0 && errno != ENOENT)
			return fault_set(fault, VERDICT_INFRA_DISK, "cannot remove %s/%s: %s",
			    run->folder ? run->folder : "", ours[i], strerror(errno));
	if (run->have_score && run->task &&
	    write_json(run, SCORE_FILE, score_json(run->task, &run->score), fault) < 0)
		return -1;
	if (write_json(run, PARTICIPANT_FILE, participant_json(run), fault) < 0)
		return -1;
	return write_statement(run, key, fault);
}
