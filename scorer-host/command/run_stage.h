/* A stage in the making: what run_prepare.c sets up and run_stage.c runs and takes away again. */
#ifndef PROCTOR_COMMAND_RUN_STAGE_H
#define PROCTOR_COMMAND_RUN_STAGE_H

#include <sys/stat.h>

#include "command/run.h"
#include "command/run_live.h"
#include "intake/output_image.h"
#include "intake/recording.h"
#include "sys/cgroup.h"

struct staging {
	struct running *g;
	struct output_image image;
	struct cgroup cgroup;
	struct launch_cgroup joined;
	struct launch launch;
	struct launch_mount *mount;
	struct recording recording;
	struct live live;
	char init[PATH_MAX], socket[PATH_MAX];
	struct stat init_stat;
	int init_fd, slot, listener, transcript, logs[2];
	pid_t pid;
	bool grouped, rooted, freed; /* freed: init is out of the CPU quota, or cannot be */
};

/*
 * Everything before the engine: uid, private copy of init, log files, channel, output filesystem, control group, root.
 * 0, or -1 with run.fault; what is there so far is in *s either way, to be taken away.
 */
int stage_prepare(struct staging *s);

/* Fills run.fault with ENGINE_FAILED, or INFRA_DISK where the disk is full. Always -1. */
int stage_failed(struct staging *s, const char *what, int error);

#endif
