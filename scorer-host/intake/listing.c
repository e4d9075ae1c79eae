/* The content of a file or folder as a list of digests. */
#include "intake/listing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/digest.h"

struct lister {
	FILE *list, *signature, *lines; /* lines may be NULL */
	const char *prefix;
	bool whole;
	enum listing_depth depth;
	uint64_t most;
	struct listing *out;
	char path[PATH_MAX]; /* relative to the top; "" at the top */
};

static void note_unreadable(struct lister *l, const struct stat *st)
{
	mode_t need = S_ISDIR(st->st_mode) ? S_IROTH | S_IXOTH : S_IROTH;
	if (S_ISLNK(st->st_mode) || (st->st_mode & need) == need || !l->out->readable)
		return;
	l->out->readable = false;
	(void)snprintf(l->out->unreadable, sizeof l->out->unreadable, "%.255s", l->path);
}

static int list_file(struct lister *l, int fd, const struct stat *st)
{
	char hex[65] = "";
	uint64_t bytes = (uint64_t)st->st_size;
	int r;

	if (bytes > l->most - l->out->bytes)
		return -EFBIG;
	if (l->depth == LISTING_CONTENT && (r = digest_fd(fd, hex, &bytes)) < 0)
		return r;
	l->out->files++;
	l->out->bytes += bytes;
	if (l->path[0] == '\0')
		memcpy(l->out->sha256, hex, sizeof hex);
	if (l->lines && !l->whole && l->depth == LISTING_CONTENT) {
		if (strpbrk(l->path, "\n\r\\") || strpbrk(l->prefix, "\n\r\\"))
			return -EINVAL;
		(void)fprintf(l->lines, "%s  %s%s%s\n", hex, l->prefix, l->path[0] ? "/" : "", l->path);
	}
	(void)fprintf(l->list, "%s  %s%c", hex, l->path, 0);
	return 0;
}

static int list_link(struct lister *l, int folder, const char *name)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(folder, name, target, sizeof target - 1);
	if (n < 0)
		return -errno;
	target[n] = '\0';
	(void)fprintf(l->list, "link %s  %s%c", target, l->path, 0);
	return 0;
}

static int list_folder(struct lister *l, int folder, unsigned depth);

static int list_entry(struct lister *l, int folder, const char *name, unsigned depth)
{
	struct stat st;
	int fd, r;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	note_unreadable(l, &st);
	(void)fprintf(l->signature, "%s %o %" PRIu64 " %" PRIu64 " %lld.%09ld %lld.%09ld%c", l->path,
	    (unsigned)st.st_mode, (uint64_t)st.st_ino, (uint64_t)(S_ISDIR(st.st_mode) ? 0 : st.st_size),
	    (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, (long long)st.st_ctim.tv_sec,
	    st.st_ctim.tv_nsec, 0);
	if (l->whole)
		(void)fprintf(
		    l->list, "%o %u:%u ", (unsigned)st.st_mode, (unsigned)st.st_uid, (unsigned)st.st_gid);
	if (S_ISLNK(st.st_mode))
		return list_link(l, folder, name);
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
		(void)fprintf(l->list, "special  %s%c", l->path, 0);
		return 0;
	}
	fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		r = -errno;
	else if (S_ISDIR(st.st_mode))
		r = list_folder(l, fd, depth + 1);
	else
		r = S_ISREG(st.st_mode) ? list_file(l, fd, &st) : -EAGAIN;
	(void)close(fd);
	return r;
}

static int compare(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int list_folder(struct lister *l, int folder, unsigned depth)
{
	struct dirent **entry;
	size_t length = strlen(l->path);
	int count = depth < LISTING_DEPTH ? scandirat(folder, ".", &entry, NULL, compare) : -1, r = 0;

	if (count < 0)
		return depth < LISTING_DEPTH ? -errno : -ELOOP;
	if (l->whole)
		(void)fprintf(l->list, "folder  %s%c", l->path, 0);
	for (int i = 0; i < count; i++) {
		const char *name = entry[i]->d_name;
		if (r == 0 && strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
			int n = snprintf(
			    l->path + length, sizeof l->path - length, "%s%s", length ? "/" : "", name);
			r = n >= (int)(sizeof l->path - length) ? -ENAMETOOLONG
								: list_entry(l, folder, name, depth);
			if (r == 0)
				l->path[length] = '\0';
		}
		free(entry[i]);
	}
	free(entry);
	return r;
}

static int top(struct lister *l, const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), r;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0) {
		r = -errno;
	} else if (S_ISREG(st.st_mode)) {
		note_unreadable(l, &st);
		(void)fprintf(l->signature, "%o %" PRIu64 " %" PRIu64 " %lld.%09ld %lld.%09ld%c",
		    (unsigned)st.st_mode, (uint64_t)st.st_ino, (uint64_t)st.st_size,
		    (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, (long long)st.st_ctim.tv_sec,
		    st.st_ctim.tv_nsec, 0);
		r = list_file(l, fd, &st);
	} else if (S_ISDIR(st.st_mode)) {
		note_unreadable(l, &st);
		r = list_folder(l, fd, 0);
	} else {
		r = -EINVAL;
	}
	(void)close(fd);
	return r;
}

/* Closes a memory stream and digests what it held. */
static int digested(FILE *stream, char **text, size_t *n, char hex[65])
{
	int r = fclose(stream) == 0 ? 0 : -ENOMEM;
	if (r == 0)
		digest_bytes(*text, *n, hex);
	free(*text);
	return r;
}

int listing_take(const char *path, const char *prefix, FILE *lines, bool whole, enum listing_depth depth,
    uint64_t most, struct listing *out, char where[256])
{
	char *list = NULL, *signature = NULL, hex[65];
	size_t list_size = 0, signature_size = 0;
	struct lister *l = calloc(1, sizeof *l);
	int r, r2;

	memset(out, 0, sizeof *out);
	where[0] = '\0';
	if (!l)
		return -ENOMEM;
	*l = (struct lister){.list = open_memstream(&list, &list_size),
	    .signature = open_memstream(&signature, &signature_size),
	    .lines = lines,
	    .prefix = prefix,
	    .whole = whole,
	    .depth = depth,
	    .most = most,
	    .out = out};
	out->readable = true;
	r = l->list && l->signature ? top(l, path) : -ENOMEM;
	if (r < 0)
		(void)snprintf(where, 256, "%.255s", l->path);
	r2 = l->list ? digested(l->list, &list, &list_size, hex) : 0;
	if (r == 0 && r2 == 0 && depth == LISTING_CONTENT && out->sha256[0] == '\0')
		memcpy(out->sha256, hex, sizeof hex);
	if (l->signature && digested(l->signature, &signature, &signature_size, out->signature) < 0)
		r2 = -ENOMEM;
	free(l);
	return r < 0 ? r : r2;
}
