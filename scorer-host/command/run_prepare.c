/* Everything that a stage needs before the engine makes its container. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/run_stage.h"
#include "engine/rootfs.h"
#include "intake/session.h"
#include "sys/digest.h"
#include "sys/files.h"
#include "sys/slot.h"

enum { FIRST_UID = 0x70000000, UIDS = 4096 };

int stage_failed(struct staging *s, const char *what, int error)
{
	return fault_set(&s->g->run.fault,
	    error == ENOSPC || error == EDQUOT ? VERDICT_INFRA_DISK : VERDICT_ENGINE_FAILED, "%s: %s", what,
	    strerror(error));
}

/* A copy of the run's own, so that its inode is nobody else's and its digest can be taken again afterwards. */
static int copy_init(struct staging *s)
{
	struct stage *stage = &s->g->run.stage;
	char block[1 << 16], again[65];
	int from = open(s->g->init, O_RDONLY | O_CLOEXEC), to, r = 0;
	ssize_t n = 1;

	if (from < 0)
		return stage_failed(s, s->g->init, errno);
	to = openat(s->g->work_fd, "init", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0500);
	r = to < 0 ? -errno : 0;
	while (r == 0 && n > 0) {
		n = read(from, block, sizeof block);
		r = n < 0 ? -errno : write_all(to, block, (size_t)n);
	}
	if (r == 0)
		r = fchmod(to, 0555) < 0 ? -errno : digest_fd(from, stage->init_sha256, NULL);
	(void)close(from);
	if (to >= 0)
		(void)close(to); /* before the exec: a file open for writing is busy */
	if (r == 0) {
		s->init_fd = openat(s->g->work_fd, "init", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		r = s->init_fd < 0 || fstat(s->init_fd, &s->init_stat) < 0
			? -errno
			: digest_fd(s->init_fd, again, NULL);
	}
	if (r == 0 && strcmp(again, stage->init_sha256) != 0)
		return fault_set(
		    &s->g->run.fault, VERDICT_ENGINE_FAILED, "%s changed while it was copied", s->g->init);
	(void)snprintf(s->init, sizeof s->init, "%.4000s/init", s->g->work);
	return r < 0 ? stage_failed(s, "private copy of proctor-init", -r) : 0;
}

static int open_files(struct staging *s)
{
	static const char *const names[] = {"logs/stdout", "logs/stderr"};
	int folder = s->g->run.folder_fd, flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;

	for (int i = 0; i < 2; i++)
		if ((s->logs[i] = openat(folder, names[i], flags, 0600)) < 0)
			return stage_failed(s, names[i], errno);
	if ((s->transcript = openat(folder, "transcript.bin", flags, 0600)) < 0)
		return stage_failed(s, "transcript.bin", errno);
	recording_start(&s->recording, s->transcript);
	s->listener = channel_listen(s->g->work_fd, "s");
	if (s->listener < 0)
		return stage_failed(s, "the channel's socket", -s->listener);
	(void)snprintf(s->socket, sizeof s->socket, "%.4000s/s", s->g->work);
	return 0;
}

static int make_group(struct staging *s, const char *name)
{
	struct fault *f = &s->g->run.fault;
	int r = cgroup_make(&s->cgroup, name);

	s->grouped = s->cgroup.memory[0] != '\0';
	if (r < 0) {
		(void)fault_set(f, VERDICT_ENGINE_FAILED, "control group %s: %s", name,
		    r == -ENOTSUP ? "there is no memory controller to be had" : strerror(-r));
		return fault_hint(
		    f, "the host's control groups must be mounted and writable, with the memory controller");
	}
	s->joined = (struct launch_cgroup){.version = s->cgroup.version,
	    .path = s->cgroup.name,
	    .memory = s->cgroup.memory,
	    .cpu = s->cgroup.version == 1 ? s->cgroup.cpu : "",
	    .pids = s->cgroup.version == 1 ? s->cgroup.pids : "",
	    .quota = s->cgroup.version == 1 ? s->cgroup.quota : "",
	    .swap = s->cgroup.swap};
	return 0;
}

/* Inputs, output, scratch, and the two doors. */
static int plan_mounts(struct staging *s)
{
	const struct task *t = &s->g->task;
	size_t n = 0;

	s->mount = calloc(t->input_count + t->scratch_count + 3, sizeof *s->mount);
	if (!s->mount)
		return stage_failed(s, "mounts", ENOMEM);
	for (size_t i = 0; i < t->input_count; i++)
		s->mount[n++] = (struct launch_mount){
		    .kind = MOUNT_BIND, .source = s->g->assets.input[i].path, .at = t->input[i].at};
	s->mount[n++] = (struct launch_mount){
	    .kind = MOUNT_BIND, .source = s->image.at, .at = "/output", .writable = true};
	for (size_t i = 0; i < t->scratch_count; i++)
		s->mount[n++] = (struct launch_mount){.kind = MOUNT_TMPFS,
		    .at = t->scratch[i],
		    .writable = true,
		    .executable = true,
		    .bytes = t->limit[OPTION_SCRATCH_BYTES]};
	s->mount[n++] = (struct launch_mount){
	    .kind = MOUNT_BIND, .source = s->init, .at = "/.proctor/init", .executable = true};
	s->mount[n++] = (struct launch_mount){.kind = MOUNT_BIND, .source = s->socket, .at = "/.proctor/s"};
	s->launch.mount = s->mount;
	s->launch.mount_count = n;
	return 0;
}

int stage_prepare(struct staging *s)
{
	static const char *const argv[] = {
	    "/.proctor/init", "--ticket", "unix:/.proctor/s", "--report", "unix:/.proctor/s", NULL};
	struct running *g = s->g;
	const uint64_t *limit = g->task.limit;
	unsigned number = 0;
	char group[SLOT_NAME];

	/* The uid belongs to the run for as long as its group is there, even should that outlive us. */
	(void)snprintf(group, sizeof group, "/proctor-%s", g->run.id);
	s->slot = slot_take("/run/proctor/uids", UIDS, group, cgroup_there, &number);
	if (s->slot < 0)
		return stage_failed(s, "a uid of the run's own (/run/proctor/uids)", -s->slot);
	g->uid = FIRST_UID + number;
	if (copy_init(s) < 0 || open_files(s) < 0 ||
	    output_image_make(&s->image, g->work, limit[OPTION_OUTPUT_BYTES], limit[OPTION_OUTPUT_FILES],
		g->uid, g->uid, &g->run.fault) < 0 ||
	    make_group(s, group) < 0 || plan_mounts(s) < 0)
		return -1;
	s->rooted = true;
	if (rootfs_prepare(g->rootfs, g->work, s->mount, s->launch.mount_count, &g->run.fault) < 0)
		return -1;
	s->launch.rootfs = "root"; /* in the bundle */
	s->launch.argv = argv;
	s->launch.memory = limit[OPTION_MEMORY];
	s->launch.processes = limit[OPTION_PROCESSES];
	s->launch.cpus = limit[OPTION_CPUS];
	s->launch.cgroup = &s->joined;
	return 0;
}
