/* The search for nameless files. */
#include "watch/holders.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/figures.h"
#include "core/mapping.h"
#include "sys/entry.h"
#include "sys/file.h"
#include "sys/lines.h"

enum { MAPS_MOST = 1 << 22 };

void holders_stop(struct holders *h)
{
	if (h->in_thread)
		dir_close(&h->files);
	if (h->in_process)
		dir_close(&h->threads);
	if (h->listing)
		dir_close(&h->processes);
	h->in_thread = h->in_process = h->listing = false;
	h->over = true;
}

void holders_start(
    struct holders *h, int proc, const struct fsids *as, const struct holders_tree *tree, bool thorough)
{
	holders_stop(h);
	h->proc = proc;
	h->as = as;
	h->tree = tree;
	h->thorough = thorough;
	h->listing = proc >= 0 && dir_open(&h->processes, proc, ".") == 0;
	h->hidden = h->over = !h->listing;
}

/* Gone is not hidden. */
static bool gone(int error)
{
	return error == -ENOENT || error == -ESRCH || error == 0;
}

static void joined(char *out, size_t size, const char *a, const char *b, const char *c)
{
	size_t at = 0;
	const char *const piece[] = {a, b, c};

	for (int i = 0; i < 3; i++)
		for (const char *p = piece[i]; *p && at < size - 1; p++)
			out[at++] = *p;
	out[at] = '\0';
}

static bool below(const struct holders_tree *t, const char *path)
{
	size_t n = strlen(t->path);

	return n > 0 && strncmp(path, t->path, n) == 0 && (path[n] == '/' || t->path[n - 1] == '/');
}

/* True when a nameless file is of the tree: by its filesystem, and where others share that, by the name it had. */
static bool ours(const struct holders_tree *t, uint64_t device, const char *path)
{
	if (!t->layered && device != t->device)
		return false;
	return (t->whole && !t->layered) || !t->path[0] || below(t, path) || path[0] != '/';
}

static void look_at_file(struct holders *h, const char *name)
{
	char path[HOLDERS_PATH + 1], text[1024];
	struct entry e;
	ssize_t n;
	int r = entry_look(h->files.fd, name, true, &e);

	if (r < 0) {
		h->hidden |= !gone(r);
		return;
	}
	if (h->thorough && entry_is_socket(&e)) {
		char info[64];
		uint64_t held;
		joined(info, sizeof info, "../fdinfo/", name, "");
		n = file_read(h->files.fd, info, text, sizeof text);
		held = n > 0 ? mapping_in_flight(text, (size_t)n) : 0;
		h->hidden |= held > 0;
	}
	if (!entry_is_file(&e) || e.links > 0)
		return;
	n = readlinkat(h->files.fd, name, path, HOLDERS_PATH);
	path[n > 0 ? n : 0] = '\0';
	if (ours(h->tree, e.device, path))
		scan_add(h->tree->found, e.device, e.inode, entry_bytes(&e));
}

/* A mapping holds a file as well as a descriptor does; what of it is mapped is the least that it has. */
static void look_at_mappings(struct holders *h)
{
	struct mapping m;
	struct lines l;
	char *line;
	int r = lines_open(&l, h->files.fd, "../maps", MAPS_MOST);

	if (r < 0) {
		h->hidden |= !gone(r);
		return;
	}
	while ((line = lines_next(&l)))
		if (mapping_parse(line, &m) == 0 && m.nameless && ours(h->tree, m.device, m.path) &&
		    scan_add(h->tree->found, m.device, m.inode, m.reach))
			h->hidden = true;
	/* Whoever maps more than can be read has something to hide. */
	h->hidden |= !lines_close(&l);
}

/* True when there was a list to open. */
static bool open_list(struct holders *h, int dir, const char *process)
{
	char path[64];
	int r;

	joined(path, sizeof path, process, "/fd", "");
	r = dir_open(&h->files, dir, path);
	if (r == -EACCES || r == -EPERM) { /* somebody else's may be init's to see */
		fsids_return(h->as);
		r = dir_open(&h->files, dir, path);
		if (!fsids_borrow(h->as))
			h->hidden = true;
	}
	h->in_thread = r == 0;
	h->hidden |= !gone(r);
	return r == 0;
}

static void next_thread(struct holders *h)
{
	unsigned char type;
	const char *tid = dir_next(&h->threads, &type);

	if (!tid) {
		dir_close(&h->threads);
		h->in_process = false;
		return;
	}
	open_list(h, h->threads.fd, tid);
}

static void open_threads(struct holders *h)
{
	char path[64];
	int r;

	joined(path, sizeof path, h->pid, "/task", "");
	r = dir_open(&h->threads, h->proc, path);
	h->in_process = r == 0;
	h->hidden |= !gone(r);
}

static void next_process(struct holders *h)
{
	unsigned char type;
	const char *name;

	do {
		name = dir_next(&h->processes, &type);
		if (!name) {
			holders_stop(h);
			return;
		}
	} while (
	    strlen(name) > 10 || figure_alone(name, strlen(name)) == UINT64_MAX || strcmp(name, "1") == 0);
	joined(h->pid, sizeof h->pid, name, "", "");
	h->empty = true;
	if (h->thorough)
		open_threads(h);
	else
		open_list(h, h->proc, h->pid);
}

static void step(struct holders *h)
{
	unsigned char type;
	const char *name;

	if (!h->in_thread) {
		if (h->in_process)
			next_thread(h);
		else
			next_process(h);
		return;
	}
	name = dir_next(&h->files, &type);
	if (name) {
		h->empty = false;
		look_at_file(h, name);
		return;
	}
	if (h->thorough) /* last: a descriptor knows the whole size */
		look_at_mappings(h);
	dir_close(&h->files);
	h->in_thread = false;
	/* A leader that is gone has no list, but its threads go on. */
	if (h->empty && !h->in_process)
		open_threads(h);
}

bool holders_turn(struct holders *h, unsigned files)
{
	if (h->over)
		return true;
	if (!fsids_borrow(h->as)) {
		h->hidden = true;
		holders_stop(h);
		return true;
	}
	for (unsigned i = 0; i < files && !h->over; i++)
		step(h);
	fsids_return(h->as);
	return h->over;
}
