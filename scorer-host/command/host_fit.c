/* What this host has, against what a task asks for. Changes nothing; starts proctor-init --version and no more. */
#include "command/host_fit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "judge/words.h"
#include "sys/program.h"

enum { ASK_MS = 5000 };

static int lacks(struct fault *f, const uint64_t *given, enum option o, uint64_t asked, const char *there)
{
	bool typed = given && given[o] != LIMIT_NONE;
	const char *name = option_table[o].name;
	char text[32];

	unit_format(option_table[o].unit, asked, text);
	if (typed) {
		(void)fault_set(f, VERDICT_NONE, "--limit %s=%s: this host has %s", name, text, there);
		return fault_hint(f, "scorer-host run --help lists the limits");
	}
	(void)fault_set(
	    f, VERDICT_REQUIRE_UNMET, "the task asks for %s %s, this host has %s", name, text, there);
	return fault_hint(f, "run it on a host that has as much, or try it here with --limit %s=VALUE", name);
}

int host_limits_fit(const struct task *task, const uint64_t *given, struct fault *fault)
{
	const uint64_t *limit = task->limit;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES),
	     page = sysconf(_SC_PAGESIZE);
	uint64_t memory = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : LIMIT_NONE;
	char there[WORD];

	if (limit[OPTION_GPUS] != LIMIT_NONE && limit[OPTION_GPUS] > 0)
		return lacks(
		    fault, given, OPTION_GPUS, limit[OPTION_GPUS], "none for us: this version knows no GPUs");
	if (limit[OPTION_CPUS] != LIMIT_NONE && cpus > 0 && limit[OPTION_CPUS] > (uint64_t)cpus * 1000) {
		(void)snprintf(there, sizeof there, "%ld", cpus);
		return lacks(fault, given, OPTION_CPUS, limit[OPTION_CPUS], there);
	}
	if (limit[OPTION_MEMORY] != LIMIT_NONE && limit[OPTION_MEMORY] > memory)
		return lacks(fault, given, OPTION_MEMORY, limit[OPTION_MEMORY], word_size(memory, there));
	return 0;
}

long host_landlock(void)
{
	/* landlock_create_ruleset(NULL, 0, LANDLOCK_CREATE_RULESET_VERSION), landlock(7) */
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
	return abi > 0 ? abi : 0;
}

int host_requirements_fit(const struct task *task, struct fault *fault)
{
	static const struct {
		enum requirement which;
		const char *why;
	} never[] = {
	    {REQUIRE_IMAGE_DIGEST, "this version takes submissions as folders, which have none"},
	    {REQUIRE_GPU, "this version knows no GPUs"},
	};

	for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
		const char *name = requirement_name(never[i].which);
		if (!(task->require & UINT32_C(1) << never[i].which))
			continue;
		(void)fault_set(fault, VERDICT_REQUIRE_UNMET, "the task requires %s: %s", name, never[i].why);
		return fault_hint(
		    fault, "take %s out of the task's require: to run it with this version", name);
	}
	if ((task->require & UINT32_C(1) << REQUIRE_LANDLOCK) && host_landlock() == 0) {
		(void)fault_set(
		    fault, VERDICT_REQUIRE_UNMET, "the task requires landlock: this host's kernel has none");
		return fault_hint(
		    fault, "run it on Linux 5.13 or later with landlock among the kernel's lsm=");
	}
	return 0;
}

/* NULL when that program calls itself proctor-init, else why not. */
static const char *is_no_init(const char *path)
{
	const char *const argv[] = {path, "--version", NULL};
	char said[64] = "";
	int r;

	if (access(path, X_OK) < 0)
		return strerror(errno);
	r = program_run(argv, ASK_MS, said, sizeof said);
	if (r < 0)
		return strerror(-r);
	return r == 0 && strncmp(said, "proctor-init ", 13) == 0 ? NULL : "it is not proctor-init";
}

int host_init_find(const char *given, char path[PATH_MAX], struct fault *fault)
{
	static const char *const beside[] = {"proctor-init", "../libexec/proctor/proctor-init",
	    "../libexec/proctor-init", "../bin/proctor-init"};
	char self[PATH_MAX], joined[PATH_MAX + 64];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	const char *why;

	if (given) {
		why = realpath(given, path) ? is_no_init(path) : strerror(errno);
		if (!why)
			return 0;
		(void)fault_set(fault, VERDICT_NONE, "--init %s: %s", given, why);
		return fault_hint(fault, "name the proctor-init that was built with this scorer-host");
	}
	self[n > 0 ? n : 0] = '\0';
	if (strrchr(self, '/'))
		*strrchr(self, '/') = '\0';
	for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
		(void)snprintf(joined, sizeof joined, "%s/%s", self, beside[i]);
		if (!realpath(joined, path))
			continue;
		if (!(why = is_no_init(path)))
			return 0;
		(void)fault_set(fault, VERDICT_ENGINE_FAILED, "%s: %s", path, why);
		fault->lasting = true;
		return fault_hint(fault, "install proctor-init there, or name it with --init PATH");
	}
	(void)fault_set(fault, VERDICT_ENGINE_FAILED, "proctor-init is not beside scorer-host in %s", self);
	fault->lasting = true;
	return fault_hint(fault, "install it there, or name it with --init PATH");
}
