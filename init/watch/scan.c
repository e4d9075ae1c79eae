/* The walk. Its memory is static and touched only as deep and as far as a tree goes. */
#include "watch/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/entry.h"

static struct dir *place(struct scan *s, unsigned depth)
{
	return &s->open[depth % SCAN_OPEN];
}

static bool is_open(const struct scan *s, unsigned depth)
{
	return s->held[depth % SCAN_OPEN] == depth + 1;
}

static void shut(struct scan *s, unsigned depth)
{
	struct scan_level *l = &s->level[depth];

	if (!is_open(s, depth))
		return;
	if (l->changed && fchmod(place(s, depth)->fd, l->mode) < 0)
		s->hidden = true;
	l->changed = false;
	if (dir_close(place(s, depth)) < 0)
		s->hidden = true;
	s->held[depth % SCAN_OPEN] = 0;
}

/* The place of this depth, free: what is open there of a depth far above can be found again by "..". */
static struct dir *take(struct scan *s, unsigned depth)
{
	if (depth >= SCAN_OPEN && is_open(s, depth - SCAN_OPEN)) {
		s->level[depth - SCAN_OPEN].position = place(s, depth)->position;
		dir_close(place(s, depth));
		s->held[depth % SCAN_OPEN] = 0;
	}
	return place(s, depth);
}

void scan_stop(struct scan *s)
{
	bool borrowed = s->as && fsids_borrow(s->as);

	for (unsigned i = 0; i < SCAN_OPEN; i++)
		if (s->held[i])
			shut(s, s->held[i] - 1);
	if (borrowed)
		fsids_return(s->as);
	s->over = true;
}

int scan_open(int dir, const struct fsids *as)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK;
	int fd = -1;

	if (fsids_borrow(as)) {
		fd = openat(dir, ".", flags);
		fsids_return(as);
	}
	if (fd < 0)
		fd = openat(dir, ".", flags);
	return fd < 0 ? -errno : fd;
}

/* Nobody but their owner could get at what is in them. */
static bool is_closed(const struct scan *s, const struct entry *e)
{
	return s->still && e->uid == s->owner && (e->mode & 0500) != 0500;
}

void scan_start(struct scan *s, int top, const struct fsids *as, bool still)
{
	struct entry e;
	int fd;

	scan_stop(s);
	s->as = as;
	s->owner = as->uid < 0 ? geteuid() : (uint32_t)as->uid;
	s->bytes = s->files = 0;
	s->still = still;
	s->depth = 0;
	inodes_clear(&s->linked);
	s->hidden = s->over = true;
	/* Not opened by name again: the candidate may have closed it. */
	fd = entry_of(top, &e) < 0 ? -1 : fcntl(top, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		return;
	s->device = e.device;
	s->level[0] = (struct scan_level){.inode = e.inode, .mode = (uint16_t)(e.mode & 07777)};
	if (is_closed(s, &e) && fsids_borrow(as)) {
		s->level[0].changed = fchmod(fd, (e.mode & 07777) | 0500) == 0;
		fsids_return(as);
	}
	dir_start(place(s, 0), fd);
	s->held[0] = 1;
	s->hidden = dir_resume(place(s, 0), 0) < 0;
	s->over = false;
}

/* The candidate's own closed folder, for as long as it is read. Whatever stands there now, only its owner could. */
static int open_closed(struct scan *s, int above, const char *name, const struct entry *e, struct dir *d)
{
	uint32_t mode = e->mode & 07777;
	int r;

	if (fchmodat(above, name, mode | 0500, 0) < 0)
		return -EACCES;
	r = dir_open(d, above, name);
	if (r < 0)
		(void)fchmodat(above, name, mode, 0);
	else
		s->level[s->depth + 1].changed = true;
	return r;
}

static void enter(struct scan *s, const char *name, const struct entry *e)
{
	int above = place(s, s->depth)->fd, r;
	struct scan_level *l = &s->level[s->depth + 1];
	struct dir opened;

	if (s->depth + 1 == SCAN_DEEPEST) {
		s->hidden = true;
		return;
	}
	*l = (struct scan_level){.inode = e->inode, .mode = (uint16_t)(e->mode & 07777)};
	/* Without its x bit the names are there, but not what they stand for. */
	if (is_closed(s, e))
		r = open_closed(s, above, name, e, &opened);
	else
		r = dir_open(&opened, above, name);
	if (r == -EACCES && s->as->uid >= 0) {
		/* Closed to the candidate is not closed to init. */
		fsids_return(s->as);
		r = dir_open(&opened, above, name);
		if (!fsids_borrow(s->as))
			s->hidden = true;
	}
	if (r == 0) {
		dir_start(take(s, s->depth + 1), opened.fd);
		s->depth++;
		s->held[s->depth % SCAN_OPEN] = s->depth + 1;
	} else if (r != -ENOENT && r != -ENOTDIR && r != -ELOOP) {
		/* What neither can open and the candidate cannot write to holds nothing of its. */
		if (r != -EACCES || (e->mode & 0022) || e->uid == s->owner)
			s->hidden = true;
	}
}

static void leave(struct scan *s)
{
	struct dir above;
	struct entry e;
	bool found;

	if (s->depth == 0) {
		shut(s, 0);
		s->over = true;
		return;
	}
	if (is_open(s, s->depth - 1)) {
		shut(s, s->depth);
		s->depth--;
		return;
	}
	found = dir_open(&above, place(s, s->depth)->fd, "..") == 0;
	shut(s, s->depth);
	s->depth--;
	if (found && (entry_of(above.fd, &e) < 0 || e.inode != s->level[s->depth].inode ||
			 dir_resume(&above, s->level[s->depth].position) < 0)) {
		dir_close(&above);
		found = false;
	}
	if (!found) { /* the branch was moved, and with it the way back */
		s->hidden = s->over = true;
		return;
	}
	dir_start(place(s, s->depth), above.fd);
	place(s, s->depth)->position = s->level[s->depth].position;
	s->held[s->depth % SCAN_OPEN] = s->depth + 1;
}

bool scan_add(struct scan *s, uint64_t device, uint64_t inode, uint64_t bytes)
{
	if (!inodes_add(&s->linked, device, inode))
		return false;
	s->files++;
	s->bytes = s->bytes > UINT64_MAX / 4 ? s->bytes
					     : s->bytes + (bytes > UINT64_MAX / 4 ? UINT64_MAX / 4 : bytes);
	return true;
}

static void count(struct scan *s, const struct entry *e)
{
	uint64_t bytes = entry_bytes(e);

	if (!entry_is_folder(e) && e->links > 1) {
		scan_add(s, e->device, e->inode, bytes);
		return;
	}
	s->files++;
	s->bytes = s->bytes > UINT64_MAX / 4 ? s->bytes : s->bytes + bytes;
}

static void step(struct scan *s)
{
	struct dir *d = place(s, s->depth);
	unsigned char type;
	const char *name = dir_next(d, &type);
	struct entry e;
	int r;

	if (!name) {
		leave(s);
		return;
	}
	r = entry_look(d->fd, name, false, &e);
	if (r == -ENOENT)
		return;
	if (r < 0) {
		s->hidden = true;
		return;
	}
	if (e.mount_known ? e.mount : e.device != s->device && entry_is_folder(&e))
		return;
	count(s, &e);
	if (entry_is_folder(&e))
		enter(s, name, &e);
}

bool scan_turn(struct scan *s, unsigned entries)
{
	if (s->over)
		return true;
	if (!fsids_borrow(s->as)) {
		s->hidden = s->over = true;
		return true;
	}
	for (unsigned i = 0; i < entries && !s->over; i++)
		step(s);
	fsids_return(s->as);
	if (s->over)
		scan_stop(s);
	return s->over;
}
