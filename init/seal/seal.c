/*
 * The seal, read from top to bottom: everything between fork and exec, in order. Nothing here may return to init's own
 * code; whatever goes wrong is told to the supervisor over the report pipe, and the process ends.
 */
#include "seal/seal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/require.h"
#include "seal/steps.h"
#include "wire/require.h"

enum { EXIT_FAULT = 125, EXIT_DENIED = 126, EXIT_NOT_FOUND = 127 };

const char *seal_step_name(enum seal_step s)
{
	static const char *const name[SEAL_END] = {
#define X(id, text) text,
	    SEAL_STEPS(X)
#undef X
	};
	return (unsigned)s < SEAL_END ? name[s] : NULL;
}

int seal_exit_status(enum seal_step failed, int error)
{
	/* EAGAIN: the uid's own process limit was used up by somebody else before there was a candidate. */
	if (failed != SEAL_EXEC || error == EAGAIN || error == ECANCELED)
		return EXIT_FAULT;
	return error == ENOENT || error == ENOTDIR ? EXIT_NOT_FOUND : EXIT_DENIED;
}

uint32_t seal_gid(const struct plan *plan)
{
	uint64_t gid = plan->number[OPTION_GID];
	return (uint32_t)(gid == LIMIT_NONE ? plan->number[OPTION_UID] : gid);
}

bool seal_unavailable(int error)
{
	switch (error) {
	case ENOSYS:
	case EPERM:
	case EINVAL:
	case EOPNOTSUPP:
	case EBUSY:
		return true;
	default:
		return false;
	}
}

/* A report is far below PIPE_BUF: it arrives whole or not at all. */
static void report(const struct sealing *s)
{
	ssize_t n;
	do
		n = write(s->report, &s->said, sizeof s->said);
	while (n < 0 && errno == EINTR);
}

static noreturn void fail(struct sealing *s, enum seal_step step, int error)
{
	s->said.failed = (uint8_t)step;
	s->said.error = error;
	report(s);
	_exit(seal_exit_status(step, error));
}

static void took(struct sealing *s, enum seal_step step, int result)
{
	if (result < 0)
		fail(s, step, -result);
	s->said.state[step] = (uint8_t)result;
}

static void wipe(const struct seal_job *job)
{
	for (unsigned i = 0; i < job->secrets; i++)
		explicit_bzero(job->secret[i].at, job->secret[i].size);
}

/* Here and not in the supervisor: it could be told only after the candidate had begun. */
static bool meets_requirements(const struct sealing *s)
{
	struct sealed done;
	seal_summary(&s->said, &done);
	return require_seal(s->plan, &done) == REQUIRE_END;
}

noreturn void seal_and_exec(const struct seal_job *job)
{
	struct sealing s;
	memset(&s, 0, sizeof s); /* padding, too: it goes over the pipe */
	s.job = job;
	s.plan = job->plan;
	s.report = job->report;
	s.listener = job->listener;
	s.environment = job->environment;
	s.said.failed = SEAL_END;

	wipe(job);
	session_reset_signals();

	took(&s, SEAL_SESSION, step_session(&s));
	took(&s, SEAL_DESCRIPTORS, step_descriptors(&s));
	took(&s, SEAL_UMASK, step_umask(&s));
	took(&s, SEAL_ENVIRONMENT, step_environment(&s));
	took(&s, SEAL_RLIMITS, step_rlimits(&s));
	took(&s, SEAL_CORE, step_core(&s));
	took(&s, SEAL_OOM_SCORE, step_oom_score(&s));
	took(&s, SEAL_BOUNDING, step_bounding(&s));
	took(&s, SEAL_GROUPS, step_groups(&s));
	took(&s, SEAL_GID, step_gid(&s));
	took(&s, SEAL_UID, step_uid(&s));
	took(&s, SEAL_AMBIENT, step_ambient(&s));
	took(&s, SEAL_WORKDIR, step_workdir(&s));
	took(&s, SEAL_NO_NEW_PRIVS, step_no_new_privs(&s));
	took(&s, SEAL_LANDLOCK, step_landlock(&s));
	took(&s, SEAL_SECCOMP, step_seccomp(&s));
	if (!meets_requirements(&s))
		fail(&s, SEAL_EXEC, ECANCELED);
	report(&s);
	fail(&s, SEAL_EXEC, -step_exec(&s));
}
