/* Devices that a container has beyond the usual ones, and sockets through which an engine could be commanded. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "seal/look_parts.h"
#include "sys/dir.h"

/* Entries of /dev that every container has (the OCI runtime specification's default devices), and terminals' folder. */
static const char *const usual[] = {"null", "zero", "full", "random", "urandom", "tty", "ptmx", "console"};
static const char *const folders[] = {"pts", "shm", "mqueue", "fd", "hugepages"};

static bool among(const char *const *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i], name) == 0)
			return true;
	return false;
}

/* Entries looked at in all: an image may bring its own /dev, with as many as it likes. */
enum { ENTRIES_MOST = 4096 };

/* The next entry while there is budget. */
static const char *next(struct facts *f, struct dir *d, unsigned char *type, unsigned *budget)
{
	const char *name = dir_next(d, type);
	if (name && *budget == 0) {
		f->incomplete = true;
		return NULL;
	}
	*budget -= name != NULL;
	return name;
}

static unsigned char type_of(int dir, const char *name, unsigned char type)
{
	struct stat st;
	if (type != DT_UNKNOWN)
		return type;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return DT_UNKNOWN;
	return S_ISCHR(st.st_mode)   ? DT_CHR
	       : S_ISBLK(st.st_mode) ? DT_BLK
	       : S_ISDIR(st.st_mode) ? DT_DIR
				     : DT_REG;
}

static void add(struct facts *f, const char *folder, const char *name)
{
	size_t a = strlen(folder), b = strlen(name);
	if (f->devices == FACT_DEVICES || a + 1 + b >= sizeof f->device[0]) {
		f->incomplete = true;
		return;
	}
	char *to = f->device[f->devices++];
	if (a) {
		memcpy(to, folder, a);
		to[a] = '/';
		to += a + 1;
	}
	memcpy(to, name, b + 1);
}

/* One level below /dev: net/tun, dri/card0. Deeper folders hold links and names for what is seen already. */
static void look_below(struct facts *f, int dev, const char *folder, unsigned *budget)
{
	struct dir d;
	if (dir_open(&d, dev, folder) < 0) {
		f->incomplete = true;
		return;
	}
	unsigned char type;
	const char *name;
	while ((name = next(f, &d, &type, budget))) {
		type = type_of(d.fd, name, type);
		if (type == DT_CHR || type == DT_BLK)
			add(f, folder, name);
	}
	if (dir_close(&d) < 0)
		f->incomplete = true;
}

static void look_dev(struct facts *f)
{
	struct dir d;
	if (dir_open(&d, AT_FDCWD, "/dev") < 0)
		return;
	unsigned char type;
	const char *name;
	unsigned budget = ENTRIES_MOST;
	while ((name = next(f, &d, &type, &budget))) {
		type = type_of(d.fd, name, type);
		if (type == DT_DIR && !among(folders, sizeof folders / sizeof *folders, name))
			look_below(f, d.fd, name, &budget);
		if ((type == DT_CHR || type == DT_BLK) && !among(usual, sizeof usual / sizeof *usual, name))
			add(f, "", name);
	}
	if (dir_close(&d) < 0)
		f->incomplete = true;
}

static void look_sockets(struct facts *f)
{
	static const char *const engines[] = {
	    "/run/docker.sock",
	    "/var/run/docker.sock",
	    "/run/containerd/containerd.sock",
	    "/var/run/containerd/containerd.sock",
	    "/run/podman/podman.sock",
	    "/var/run/podman/podman.sock",
	    "/run/crio/crio.sock",
	    "/var/run/crio/crio.sock",
	};
	_Static_assert(sizeof engines / sizeof *engines <= FACT_SOCKETS, "room for every engine socket");

	/* /var/run usually is /run: the same socket is named once. */
	struct stat run, var_run;
	bool same = stat("/run", &run) == 0 && stat("/var/run", &var_run) == 0 &&
		    run.st_dev == var_run.st_dev && run.st_ino == var_run.st_ino;
	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
		struct stat st;
		if (same && strncmp(engines[i], "/var", 4) == 0)
			continue;
		if (stat(engines[i], &st) < 0 || !S_ISSOCK(st.st_mode))
			continue;
		memcpy(f->socket[f->sockets++], engines[i], strlen(engines[i]) + 1);
	}
}

void look_devices(struct facts *f)
{
	look_dev(f);
	look_sockets(f);
}
