/* Everything that can be refused before a run exists. Each refusal says what to do. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "command/exposed.h"
#include "command/host_fit.h"
#include "command/run.h"
#include "intake/exposure.h"
#include "intake/output_image.h"
#include "judge/words.h"
#include "sys/files.h"

enum { SPARE_BYTES = 64 << 20, TMPFS_SPARE = 32 << 20 };

static int host_fit(struct running *g)
{
	struct fault *f = &g->run.fault;

	g->engine = engine_find(g->options.engine ? g->options.engine : "runc");
	if (!g->engine)
		return fault_set(f, VERDICT_NONE, "--engine %s: this build knows runc", g->options.engine);
	if (host_limits_fit(&g->task, g->options.limit, f) < 0 || host_requirements_fit(&g->task, f) < 0)
		return -1;
	return g->engine->probe(g->engine_version, f);
}

/* Absolute, in one spelling only, and not where the container's own mounts are. */
static bool mountable(const char *at)
{
	static const char *const own[] = {"/proc", "/sys", "/dev", "/.proctor"};
	size_t n = strlen(at);

	if (at[0] != '/' || n < 2 || at[n - 1] == '/' || strstr(at, "//") || strstr(at, "/./") ||
	    strstr(at, "/../") || (n >= 3 && strcmp(at + n - 3, "/..") == 0) || strcmp(at + n - 2, "/.") == 0)
		return false;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (strncmp(at, own[i], strlen(own[i])) == 0 &&
		    (at[strlen(own[i])] == '/' || !at[strlen(own[i])]))
			return strcmp(at, "/dev/shm") == 0;
	return true;
}

static bool within(const char *inner, const char *outer)
{
	size_t n = strlen(outer);
	return strncmp(inner, outer, n) == 0 && (inner[n] == '/' || inner[n] == '\0');
}

/* A mount point inside another mount would be made in there: in the organiser's own folder, for an input. */
static int mounts_fit(struct running *g)
{
	const struct task *t = &g->task;
	size_t count = t->input_count + t->scratch_count + 1;
	const char **at = calloc(count, sizeof *at);
	uint64_t memory = t->limit[OPTION_MEMORY], each = t->limit[OPTION_SCRATCH_BYTES];
	char least[32], most[32];
	int r = 0;

	if (!at)
		return fault_set(&g->run.fault, VERDICT_SCORER_FAULT, "out of memory");
	for (size_t i = 0; i < count; i++) {
		at[i] = i < t->input_count ? t->input[i].at
			: i < count - 1	   ? t->scratch[i - t->input_count]
					   : "/output";
		if (r == 0 && (!mountable(at[i]) || (i < t->input_count && strcmp(at[i], "/dev/shm") == 0)))
			r = fault_set(
			    &g->run.fault, VERDICT_TASK_INVALID, "%s: nothing can be mounted there", at[i]);
		for (size_t k = 0; r == 0 && k < i; k++)
			if (within(at[i], at[k]) || within(at[k], at[i]))
				r = fault_set(&g->run.fault, VERDICT_TASK_INVALID,
				    "%s and %s: one mount lies in the other", at[k], at[i]);
	}
	free(at);
	if (r < 0 || memory == LIMIT_NONE || t->scratch_count == 0)
		return r;
	if (each > (memory - TMPFS_SPARE) / t->scratch_count) {
		/* Of the command line's making, it is a usage error and not the organiser's. */
		bool ours = g->options.limit[OPTION_MEMORY] != LIMIT_NONE ||
			    g->options.limit[OPTION_SCRATCH_BYTES] != LIMIT_NONE;
		(void)fault_set(&g->run.fault, ours ? VERDICT_NONE : VERDICT_TASK_INVALID,
		    "%zu scratch trees of %s each do not fit memory %s less 32MiB", t->scratch_count,
		    unit_format(UNIT_SIZE, each, least), unit_format(UNIT_SIZE, memory, most));
		return fault_hint(&g->run.fault, "lower scratch-bytes, or raise memory");
	}
	return 0;
}

static int submission(struct running *g)
{
	struct stat st;
	char where[256], most[32];
	uint64_t limit = g->task.limit[OPTION_IMAGE_BYTES];
	int r;

	if (!realpath(g->options.rootfs, g->rootfs) || stat(g->rootfs, &st) < 0 || !S_ISDIR(st.st_mode)) {
		(void)fault_set(&g->run.fault, VERDICT_NONE, "--rootfs %s: %s", g->options.rootfs,
		    g->rootfs[0] && access(g->rootfs, F_OK) == 0 ? "not a folder" : strerror(errno));
		return -1;
	}
	r = listing_take(g->rootfs, "", NULL, true, LISTING_CONTENT, limit, &g->submitted, where);
	if (r == -EFBIG)
		return fault_set(&g->run.fault, VERDICT_IMAGE_REFUSED,
		    "the submission is larger than image-bytes %s", unit_format(UNIT_SIZE, limit, most));
	if (r == -ELOOP || r == -ENAMETOOLONG)
		return fault_set(
		    &g->run.fault, VERDICT_IMAGE_REFUSED, "the submission nests too deep at %s", where);
	if (r < 0)
		return fault_set(
		    &g->run.fault, VERDICT_ENGINE_FAILED, "%s/%s: %s", g->rootfs, where, strerror(-r));
	memcpy(g->run.submission_sha256, g->submitted.sha256, sizeof g->run.submission_sha256);
	return 0;
}

/* Loads the home's key, or makes it: one run at a time, since several may start in a new home at once. */
static int home_key(struct running *g)
{
	char path[PATH_MAX + 16], public[PATH_MAX + 32];
	int home = open(g->home, O_RDONLY | O_DIRECTORY | O_CLOEXEC), r;

	if (home < 0 || flock(home, LOCK_EX) < 0) {
		r = fault_set(&g->run.fault, VERDICT_ENGINE_FAILED, "%s: %s", g->home, strerror(errno));
		if (home >= 0)
			(void)close(home);
		return r;
	}
	(void)snprintf(path, sizeof path, "%s/operator.key", g->home);
	if (access(path, F_OK) == 0)
		r = key_load(path, &g->key, &g->run.fault);
	else if ((r = key_generate(path, NULL, &g->key, &g->run.fault)) == 0 &&
		 key_public_path(path, public, sizeof public) == 0)
		(void)fprintf(
		    stderr, "scorer-host: new signing key %s; its public part is %s\n", path, public);
	(void)close(home);
	return r;
}

/* Where no home can ever be, the caller must name another one. */
static int no_home(struct running *g, const char *home, int error)
{
	static const int usage[] = {ENOTDIR, ENAMETOOLONG, ELOOP, EROFS, EACCES, EPERM, EEXIST, ENOENT};
	struct fault *f = &g->run.fault;

	for (size_t i = 0; i < sizeof usage / sizeof *usage; i++)
		if (error == usage[i]) {
			(void)fault_set(f, VERDICT_NONE, "%s%s: %s", g->options.home ? "--home " : "home ",
			    home, strerror(error));
			return fault_hint(
			    f, "name a folder that can be made or written to, with --home or PROCTOR_HOME");
		}
	return fault_set(f, error == ENOSPC || error == EDQUOT ? VERDICT_INFRA_DISK : VERDICT_ENGINE_FAILED,
	    "%s: %s", home, strerror(error));
}

int run_home(struct running *g)
{
	const char *home = g->options.home ? g->options.home : getenv("PROCTOR_HOME");
	static const char *const folders[] = {"runs", "active"};
	char path[PATH_MAX + 16];
	int r;

	home = home && *home ? home : "/var/lib/proctor";
	r = folder_make_all(home);
	if (r == 0 && !realpath(home, g->home))
		r = -errno;
	for (size_t i = 0; r == 0 && i < sizeof folders / sizeof *folders; i++) {
		(void)snprintf(path, sizeof path, "%s/%s", g->home, folders[i]);
		r = folder_make_all(path);
	}
	if (r < 0)
		return no_home(g, home, -r);
	return home_key(g);
}

/* Room for what the run may need at once: the output's filesystem, its copy, logs and their transcript. */
static int space(struct running *g)
{
	const uint64_t *limit = g->task.limit;
	uint64_t need = output_image_size(limit[OPTION_OUTPUT_BYTES], limit[OPTION_OUTPUT_FILES]) +
			limit[OPTION_OUTPUT_BYTES] + 4 * limit[OPTION_LOG_BYTES] + SPARE_BYTES;
	char parent[PATH_MAX], free_text[WORD], need_text[WORD];
	struct statvfs v;

	(void)snprintf(parent, sizeof parent, "%s", g->folder);
	if (strrchr(parent, '/'))
		*strrchr(parent, '/') = '\0';
	if (statvfs(*parent ? parent : "/", &v) < 0)
		return fault_set(&g->run.fault, VERDICT_ENGINE_FAILED, "%s: %s", parent, strerror(errno));
	if ((uint64_t)v.f_bavail * v.f_frsize >= need)
		return 0;
	(void)fault_set(&g->run.fault, VERDICT_INFRA_DISK,
	    "%s: %s free; this task may need %s (output-bytes twice, logs, 64MiB)", parent,
	    word_size((uint64_t)v.f_bavail * v.f_frsize, free_text), word_size(need, need_text));
	return fault_hint(&g->run.fault, "free space, then type the same command again");
}

int run_place(struct running *g)
{
	char path[PATH_MAX], parent[PATH_MAX];
	const char *name;
	struct stat st;

	if (!g->options.run_dir) {
		(void)snprintf(g->folder, sizeof g->folder, "%.4000s/runs/%s", g->home, g->run.id);
		return 0;
	}
	(void)snprintf(
	    path, sizeof path, "%s%s", strchr(g->options.run_dir, '/') ? "" : "./", g->options.run_dir);
	while (strlen(path) > 1 && path[strlen(path) - 1] == '/')
		path[strlen(path) - 1] = '\0';
	name = strrchr(path, '/') + 1;
	if (strlen(path) > 3800 || !*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return fault_set(&g->run.fault, VERDICT_NONE, "--run-dir %s: no name for a new folder",
		    g->options.run_dir);
	if (lstat(path, &st) == 0)
		return fault_set(
		    &g->run.fault, VERDICT_NONE, "--run-dir %s: is there already", g->options.run_dir);
	path[name - path - 1] = '\0';
	if (!realpath(*path ? path : "/", parent))
		return fault_set(
		    &g->run.fault, VERDICT_NONE, "--run-dir %s: %s", g->options.run_dir, strerror(errno));
	(void)snprintf(
	    g->folder, sizeof g->folder, "%.3800s/%.255s", strcmp(parent, "/") == 0 ? "" : parent, name);
	return 0;
}

int run_preflight(struct running *g)
{
	struct exposure_seen seen;

	if (host_fit(g) < 0 || mounts_fit(g) < 0 ||
	    host_init_find(g->options.init, g->init, &g->run.fault) < 0 || run_home(g) < 0 ||
	    run_place(g) < 0 || submission(g) < 0 || space(g) < 0)
		return -1;
	if (assets_take(&g->task, &g->assets, &g->run.fault) < 0 ||
	    assets_locked(&g->task, &g->assets, &g->run.fault) < 0)
		return -1;
	if (truth_exposed(&g->task, &seen, &g->run.fault) == 0)
		return 0;
	exposed_runs(g->home, &g->task, &seen, &g->run.fault);
	return -1;
}
