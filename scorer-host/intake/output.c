/* Takes in the result tree. */
#include "intake/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/files.h"

enum { MARGIN_ENTRIES = 4096, BLOCK = 1 << 16, A_SUBJECT = 200 };

/* Inodes with more than one name that were counted: a hash table, a power of two of slots, 0 for a free one. */
struct inodes {
	uint64_t *slot;
	size_t room, count;
};

struct walk {
	struct inodes counted;
	const char *table;
	uint64_t bytes_left, entries_left;
	uint64_t paths_left, refused_left; /* of what the evidence has room for */
	struct output *out;
	struct fault *fault;
	char path[OUTPUT_DEPTH * 256 + 1];
};

static const char *kind_of(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFLNK:
		return "symlink";
	case S_IFIFO:
		return "fifo";
	case S_IFSOCK:
		return "socket";
	case S_IFBLK:
	case S_IFCHR:
		return "device";
	case S_IFDIR:
		return "directory";
	default:
		return "other";
	}
}

/* Continuation bytes of a UTF-8 sequence (RFC 3629) that begins with that byte; -1 when none may. */
static int follows(unsigned char c)
{
	if (c < 0x80)
		return 0;
	return c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : -1;
}

/* Names that evidence and screens can carry: UTF-8 without control characters, not starting with a dot or dash. */
static int name_taken(const char *name)
{
	const unsigned char *p = (const unsigned char *)name;

	if (*p == '.' || *p == '-')
		return 0;
	while (*p) {
		unsigned char first = *p, second = p[1];
		int more = follows(first);
		if (more < 0 || first < 0x20 || first == 0x7f)
			return 0;
		if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
		    (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f) ||
		    (first == 0xc2 && second < 0xa0))
			return 0;
		for (p++; more > 0; more--, p++)
			if ((*p & 0xc0) != 0x80)
				return 0;
	}
	return 1;
}

static int no_memory(struct walk *w)
{
	return fault_set(w->fault, VERDICT_SCORER_FAULT, "out of memory while taking in the output");
}

/* What a path takes in the statement at most: a byte that is not plain ASCII is written as \\xNN there. */
static uint64_t cost(const char *path)
{
	uint64_t n = A_SUBJECT;
	for (; *path; path++)
		n += *path >= 0x20 && *path < 0x7f && *path != '\\' && *path != '"' ? 1 : 5;
	return n;
}

static int refuse(struct walk *w, const char *kind)
{
	uint64_t n = cost(w->path);
	struct output *o = w->out;
	struct refused *grown;

	o->refused_all++;
	if (strcmp(w->path, w->table) == 0)
		o->table_kind = kind;
	if (o->refused_count == OUTPUT_REFUSED_MAX || n > w->refused_left)
		return 0;
	w->refused_left -= n;
	if ((grown = realloc(o->refused, (o->refused_count + 1) * sizeof *grown)) == NULL)
		return no_memory(w);
	o->refused = grown;
	if ((grown[o->refused_count].path = strdup(w->path)) == NULL)
		return no_memory(w);
	grown[o->refused_count++].kind = kind;
	return 0;
}

static int disk(struct walk *w, int error)
{
	return fault_set(w->fault,
	    error == ENOSPC || error == EDQUOT ? VERDICT_INFRA_DISK : VERDICT_SCORER_FAULT,
	    "copying output %s into the run directory: %s", w->path, strerror(error));
}

/* Copies what holds data and leaves the holes, up to size bytes. 0 or -errno. */
static int copy(int from, int to, off_t size)
{
	char block[BLOCK];
	off_t at = 0;

	while (at < size) {
		off_t data = lseek(from, at, SEEK_DATA), hole;
		if (data < 0 && errno == ENXIO)
			break;
		if (data < 0)
			data = at;
		hole = lseek(from, data, SEEK_HOLE);
		if (hole < 0 || hole > size)
			hole = size;
		for (at = data; at < hole;) {
			size_t want = hole - at < BLOCK ? (size_t)(hole - at) : BLOCK;
			ssize_t n = pread(from, block, want, at);
			if (n < 0 && errno == EINTR)
				continue;
			if (n <= 0)
				return n < 0 ? -errno : -EIO;
			for (ssize_t done = 0; done < n;) {
				ssize_t wrote = pwrite(to, block + done, (size_t)(n - done), at + done);
				if (wrote < 0 && errno != EINTR)
					return -errno;
				done += wrote > 0 ? wrote : 0;
			}
			at += n;
		}
	}
	return ftruncate(to, size) < 0 ? -errno : 0;
}

static int take_file(struct walk *w, int folder, int into, const char *name, const struct stat *seen)
{
	struct stat st;
	/* The table has its room from the beginning: files whose names sort before it take none of that. */
	uint64_t room = strcmp(w->path, w->table) == 0 ? 0 : cost(w->path);
	int from, to, r;

	if (seen->st_nlink != 1)
		return refuse(w, "hard-link");
	if (seen->st_size < 0 || (uint64_t)seen->st_size > w->bytes_left || room > w->paths_left)
		return refuse(w, "large");
	from = open_beneath(folder, name, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	if (from < 0)
		return refuse(w, "other");
	if (fstat(from, &st) < 0 || !S_ISREG(st.st_mode) || st.st_nlink != 1 || st.st_dev != seen->st_dev ||
	    st.st_ino != seen->st_ino || st.st_size != seen->st_size) {
		(void)close(from);
		return refuse(w, "other");
	}
	to = openat(into, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	r = to < 0 ? -errno : copy(from, to, st.st_size);
	(void)close(from);
	if (r == 0) {
		w->bytes_left -= (uint64_t)st.st_size;
		w->paths_left -= room;
		w->out->taken++;
		if (strcmp(w->path, w->table) == 0) {
			w->out->table = openat(into, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
			r = w->out->table < 0 ? -errno : 0;
		}
	}
	if (to >= 0)
		(void)close(to);
	return r < 0 ? disk(w, -r) : 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of a folder in one fixed order, so that what is refused for its size never depends on the filesystem. */
static char **names(int folder, uint64_t most, size_t *count)
{
	DIR *d;
	struct dirent *e;
	char **list = NULL;
	size_t n = 0, room = 0;
	int copy_fd = fcntl(folder, F_DUPFD_CLOEXEC, 3);

	*count = 0;
	if (copy_fd < 0 || (d = fdopendir(copy_fd)) == NULL) {
		if (copy_fd >= 0)
			(void)close(copy_fd);
		return NULL;
	}
	while (n < most && (e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (n == room) {
			char **grown = realloc(list, (room = room ? 2 * room : 64) * sizeof *grown);
			if (!grown)
				break;
			list = grown;
		}
		if ((list[n] = strdup(e->d_name)) == NULL)
			break;
		n++;
	}
	(void)closedir(d);
	if (list)
		qsort(list, n, sizeof *list, compare);
	*count = n;
	return list;
}

static void inodes_put(struct inodes *s, uint64_t inode)
{
	size_t at = (size_t)(inode * UINT64_C(0x9e3779b97f4a7c15) >> 20);
	while (s->slot[at & (s->room - 1)] != 0 && s->slot[at & (s->room - 1)] != inode)
		at++;
	s->count += s->slot[at & (s->room - 1)] == 0;
	s->slot[at & (s->room - 1)] = inode;
}

/* 1 when the inode is new here, 0 when it is not, -1 without memory. */
static int inodes_add(struct inodes *s, uint64_t inode)
{
	size_t before = s->count;

	if (2 * s->count >= s->room) {
		struct inodes more = {.room = s->room ? 2 * s->room : 256};
		more.slot = calloc(more.room, sizeof *more.slot);
		if (!more.slot)
			return -1;
		for (size_t i = 0; i < s->room; i++)
			if (s->slot[i] != 0)
				inodes_put(&more, s->slot[i]);
		free(s->slot);
		*s = more;
	}
	inodes_put(s, inode);
	return s->count > before;
}

static int take_folder(struct walk *w, int folder, int into, unsigned depth);

static int enter(struct walk *w, int folder, int into, const char *name, unsigned depth)
{
	int from, to, r;

	if (strcmp(w->path, w->table) == 0)
		return refuse(w, "directory");
	if (depth + 1 == OUTPUT_DEPTH)
		return refuse(w, "name");
	from = open_beneath(folder, name, O_RDONLY | O_DIRECTORY, 0);
	if (from < 0)
		return refuse(w, "other");
	to = mkdirat(into, name, 0700) < 0 ? -1 : open_beneath(into, name, O_RDONLY | O_DIRECTORY, 0);
	r = to < 0 ? disk(w, errno) : take_folder(w, from, to, depth + 1);
	(void)unlinkat(into, name, AT_REMOVEDIR); /* a folder of which nothing was taken is no evidence */
	(void)close(from);
	if (to >= 0)
		(void)close(to);
	return r;
}

static int take_entry(struct walk *w, int folder, int into, const char *name, unsigned depth)
{
	struct output *o = w->out;
	struct stat st;
	int first = 1;

	w->entries_left--;
	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		o->files++;
		return refuse(w, "other");
	}
	if (st.st_nlink > 1 && !S_ISDIR(st.st_mode) && (first = inodes_add(&w->counted, st.st_ino)) < 0)
		return no_memory(w);
	if (first) {
		o->files++;
		o->bytes += (uint64_t)st.st_blocks * 512;
	}
	if (!name_taken(name))
		return refuse(w, "name");
	if (S_ISDIR(st.st_mode))
		return enter(w, folder, into, name, depth);
	return S_ISREG(st.st_mode) ? take_file(w, folder, into, name, &st) : refuse(w, kind_of(st.st_mode));
}

static int take_folder(struct walk *w, int folder, int into, unsigned depth)
{
	size_t count, length = strlen(w->path);
	char **list = names(folder, w->entries_left, &count);
	int r = 0;

	for (size_t i = 0; i < count; i++) {
		if (r == 0 && w->entries_left > 0) {
			(void)snprintf(
			    w->path + length, sizeof w->path - length, "%s%s", length ? "/" : "", list[i]);
			r = take_entry(w, folder, into, list[i], depth);
			w->path[length] = '\0';
		}
		free(list[i]);
	}
	free(list);
	return r;
}

static int judge_table(const struct output *o, const char *table, struct fault *fault)
{
	static const char *const unsafe[] = {"hard-link", "name", "large"};

	if (o->table >= 0)
		return 0;
	if (!o->table_kind)
		return fault_set(fault, VERDICT_OUTPUT_MISSING, "there is no %s in /output", table);
	for (size_t i = 0; i < sizeof unsafe / sizeof *unsafe; i++)
		if (strcmp(o->table_kind, unsafe[i]) == 0)
			return fault_set(fault, VERDICT_OUTPUT_UNSAFE, "%s is refused: %s", table, unsafe[i]);
	return fault_set(
	    fault, VERDICT_OUTPUT_NOT_REGULAR, "%s is no regular file but a %s", table, o->table_kind);
}

int output_take(int tree, int into, const char *table, uint64_t bytes, uint64_t files, struct output *out,
    struct fault *fault)
{
	struct walk *w = calloc(1, sizeof *w);
	int r;

	memset(out, 0, sizeof *out);
	out->table = -1;
	if (!w)
		return fault_set(fault, VERDICT_SCORER_FAULT, "out of memory while taking in the output");
	w->table = table;
	w->bytes_left = bytes;
	w->entries_left = files + MARGIN_ENTRIES;
	w->paths_left = OUTPUT_PATHS - cost(table);
	w->refused_left = OUTPUT_REFUSED_PATHS;
	w->out = out;
	w->fault = fault;
	r = take_folder(w, tree, into, 0);
	free(w->counted.slot);
	free(w);
	return r < 0 ? r : judge_table(out, table, fault);
}

void output_free(struct output *out)
{
	for (size_t i = 0; i < out->refused_count; i++)
		free(out->refused[i].path);
	free(out->refused);
	if (out->table >= 0)
		(void)close(out->table);
	memset(out, 0, sizeof *out);
	out->table = -1;
}
