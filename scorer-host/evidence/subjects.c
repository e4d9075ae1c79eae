/* The walk over a run directory. */
#include "evidence/subjects.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/digest.h"

enum { DEEPEST = 32 };

static struct subject *add(struct subjects *s, const char *name, enum subject_kind kind)
{
	struct subject *list = reallocarray(s->list, s->count + 1, sizeof *list);
	if (!list)
		return NULL;
	s->list = list;
	memset(&list[s->count], 0, sizeof *list);
	list[s->count].kind = kind;
	list[s->count].name = strdup(name);
	return list[s->count].name ? &list[s->count++] : NULL;
}

static int add_file(struct subjects *s, int folder, const char *entry, const char *name)
{
	struct subject *f = add(s, name, SUBJECT_FILE);
	int fd, r;

	if (!f)
		return -ENOMEM;
	fd = openat(folder, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	r = fd < 0 ? -errno : digest_fd(fd, f->sha256, &f->bytes);
	if (fd >= 0)
		(void)close(fd);
	if (r < 0) {
		f->kind = SUBJECT_UNREADABLE;
		f->error = -r;
	}
	return 0;
}

static int walk(struct subjects *s, int fd, const char *prefix, dev_t device, unsigned depth);

static int add_folder(
    struct subjects *s, int folder, const char *entry, const char *name, dev_t device, unsigned depth)
{
	size_t before = s->count;
	struct subject *f;
	int fd, r;

	if (depth == DEEPEST)
		return add(s, name, SUBJECT_IRREGULAR) ? 0 : -ENOMEM;
	fd = openat(folder, entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		int error = errno;
		f = add(s, name, SUBJECT_UNREADABLE);
		if (f)
			f->error = error;
		return f ? 0 : -ENOMEM;
	}
	r = walk(s, fd, name, device, depth + 1);
	if (r == 0 && s->count == before && !add(s, name, SUBJECT_FOLDER))
		r = -ENOMEM;
	return r;
}

/* Takes fd over. */
static int walk(struct subjects *s, int fd, const char *prefix, dev_t device, unsigned depth)
{
	DIR *d = fdopendir(fd);
	struct dirent *e;
	int r = 0;

	if (!d) {
		r = -errno;
		(void)close(fd);
		return r;
	}
	while (r == 0 && (errno = 0, e = readdir(d)) != NULL) {
		char *name;
		struct stat st;

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (asprintf(&name, "%s%s%s", prefix, *prefix ? "/" : "", e->d_name) < 0)
			return (void)closedir(d), -ENOMEM;
		if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			r = -errno;
		else if (S_ISREG(st.st_mode))
			r = add_file(s, dirfd(d), e->d_name, name);
		else if (S_ISDIR(st.st_mode) && st.st_dev == device)
			r = add_folder(s, dirfd(d), e->d_name, name, device, depth);
		else if (!add(s, name, SUBJECT_IRREGULAR))
			r = -ENOMEM;
		free(name);
	}
	if (r == 0 && errno != 0)
		r = -errno;
	(void)closedir(d);
	return r;
}

static int by_name(const void *a, const void *b)
{
	const struct subject *x = a, *y = b;
	return strcmp(x->name, y->name);
}

int subjects_walk(int folder, struct subjects *s)
{
	struct stat st;
	int fd, r;

	memset(s, 0, sizeof *s);
	fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0) {
		r = -errno;
		(void)close(fd);
		return r;
	}
	r = walk(s, fd, "", st.st_dev, 0);
	if (s->count > 0)
		qsort(s->list, s->count, sizeof *s->list, by_name);
	return r;
}

const struct subject *subjects_find(const struct subjects *s, const char *name)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->list[i].name, name) == 0)
			return &s->list[i];
	return NULL;
}

void subjects_free(struct subjects *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->list[i].name);
	free(s->list);
	memset(s, 0, sizeof *s);
}
