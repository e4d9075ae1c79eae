/* Budgets of trees. */
#include "watch/output.h"

#include <string.h>
#include <unistd.h>

#include "sys/room.h"
#include "wire/limits.h"

/* A look costs a microsecond or two; the filesystem's own size holds what is written between two. */
enum { PACE_BUSY = 5000, PACE_IDLE = 100000, FULL = 4096 };

/* A filesystem that is much larger than the budget is shared with others: its fill level is not the run's. */
static bool bounded(const struct room *r, uint64_t budget)
{
	return budget == LIMIT_NONE || r->bytes_all <= 2 * budget + MIB(16);
}

/* A part of a filesystem that is mounted elsewhere, too, is not the run's own, however small that filesystem is. */
static bool own(int fd, const struct room *r, uint64_t bytes, uint64_t files)
{
	return r->local && r->bytes_all > 0 && bounded(r, bytes) &&
	       (files == LIMIT_NONE || r->inodes_all != LIMIT_NONE) && room_is_mount(fd) == 1 &&
	       room_is_whole(fd) == 1;
}

static bool measure(struct budgeted *t)
{
	struct room r;

	if (room_look(t->fd, &r) < 0)
		return false;
	t->bytes_used = r.bytes_used > t->bytes_before ? r.bytes_used - t->bytes_before : 0;
	t->files_used = r.inodes_used == LIMIT_NONE	  ? LIMIT_NONE
			: r.inodes_used > t->files_before ? r.inodes_used - t->files_before
							  : 0;
	t->full |= r.bytes_all < r.bytes_used + FULL ||
		   (r.inodes_all != LIMIT_NONE && r.inodes_used >= r.inodes_all);
	return true;
}

static void add_own(
    struct output *o, int fd, const struct room *r, bool result, uint64_t bytes, uint64_t files)
{
	struct budgeted *t = &o->tree[o->trees];

	*t = (struct budgeted){.fd = fd, .result = result, .bytes = bytes, .files = files, .pace = PACE_BUSY};
	t->bytes_before = r->bytes_used;
	t->files_before = r->inodes_used == LIMIT_NONE ? 0 : r->inodes_used;
	measure(t);
	if (result)
		o->result = (int)o->trees;
	if (bytes == LIMIT_NONE && files == LIMIT_NONE)
		t->next = UINT64_MAX;
	o->trees++;
}

static void add(struct output *o, const char *path, bool result, uint64_t bytes, uint64_t files)
{
	bool limited = bytes != LIMIT_NONE || files != LIMIT_NONE, exact = false, seen = false;
	struct room r;
	int fd = room_open(path);

	if (fd >= 0 && room_look(fd, &r) == 0) {
		exact = own(fd, &r, bytes, files);
		if (exact)
			add_own(o, fd, &r, result, bytes, files);
		seen = exact || (limited && monitor_add(&o->monitor, fd, result, bytes, files));
	}
	if (fd >= 0 && !seen)
		close(fd);
	if (result)
		o->result_exact = exact && limited;
	o->scratch_exact &= result || exact;
	o->scratch_seen &= result || seen;
}

void output_open(struct output *o, const struct plan *plan, int proc, const struct fsids *as)
{
	uint64_t each = plan->number[OPTION_SCRATCH_BYTES];

	o->trees = 0;
	o->result = -1;
	monitor_open(&o->monitor, proc, as);
	if (plan->text[OPTION_OUTPUT])
		add(o, plan->text[OPTION_OUTPUT], true, plan->number[OPTION_OUTPUT_BYTES],
		    plan->number[OPTION_OUTPUT_FILES]);
	o->scratch_exact = o->scratch_seen = plan->scratches > 0 && each != LIMIT_NONE;
	for (unsigned i = 0; i < plan->scratches; i++)
		add(o, plan->scratch[i], false, each, LIMIT_NONE);
	for (unsigned i = 0; i < plan->scratches; i++)
		if (strcmp(plan->scratch[i], "/dev/shm") == 0)
			return;
	if (each != LIMIT_NONE) {
		bool exact = o->scratch_exact, seen = o->scratch_seen;
		add(o, "/dev/shm", false, each,
		    LIMIT_NONE); /* if there is one; Landlock may well keep it closed */
		o->scratch_exact = exact;
		o->scratch_seen = seen;
	}
}

bool output_exact(const struct output *o)
{
	return o->result_exact;
}

bool output_monitors_result(const struct output *o)
{
	return o->monitor.trees > 0 && o->monitor.tree[0].result;
}

bool output_monitored(const struct output *o)
{
	for (unsigned i = 0; i < o->monitor.trees; i++)
		if (o->monitor.tree[i].bytes != LIMIT_NONE)
			return true;
	return false;
}

uint64_t output_file_size(const struct output *o, const struct plan *plan)
{
	uint64_t most = plan->number[OPTION_OUTPUT_BYTES];
	const uint64_t others[] = {plan->number[OPTION_SCRATCH_BYTES], plan->number[OPTION_MEMORY]};

	if (!output_monitored(o) || most == LIMIT_NONE)
		return 0;
	for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i] != LIMIT_NONE && others[i] > most)
			most = others[i];
	return most > LIMIT_HOST / 4 ? 0 : 2 * most + MIB(64);
}

uint64_t output_next(const struct output *o)
{
	uint64_t next = monitor_next(&o->monitor);

	for (unsigned i = 0; i < o->trees; i++)
		if (o->tree[i].next < next)
			next = o->tree[i].next;
	return next;
}

static bool look(struct budgeted *t, uint64_t now, struct breach *b)
{
	uint64_t before = t->bytes_used;

	if (!measure(t))
		return false;
	t->pace = t->bytes_used != before ? PACE_BUSY : t->pace * 2 > PACE_IDLE ? PACE_IDLE : t->pace * 2;
	if (t->next != UINT64_MAX)
		t->next = now + t->pace;
	b->graceful = false;
	if (t->bytes != LIMIT_NONE && t->bytes_used > t->bytes) {
		b->verdict = t->result ? VERDICT_OUTPUT_BYTES : VERDICT_SCRATCH_BYTES;
		b->limit = t->bytes;
		b->observed = t->bytes_used;
		b->unit = "bytes";
		b->proof = t->result ? "statfs of the output's own filesystem"
				     : "statfs of a scratch tree's own filesystem";
		return true;
	}
	if (t->files != LIMIT_NONE && t->files_used != LIMIT_NONE && t->files_used > t->files) {
		b->verdict = VERDICT_OUTPUT_FILES;
		b->limit = t->files;
		b->observed = t->files_used;
		b->unit = "count";
		b->proof = "inodes by statfs of the output's own filesystem";
		return true;
	}
	return false;
}

static bool look_own(struct output *o, uint64_t now, bool forced, struct breach *b)
{
	for (unsigned i = 0; i < o->trees; i++)
		if ((forced || now >= o->tree[i].next) && look(&o->tree[i], now, b))
			return true;
	return false;
}

bool output_look(struct output *o, uint64_t now, struct breach *b)
{
	return look_own(o, now, false, b) || monitor_turn(&o->monitor, now, b);
}

bool output_end(struct output *o, uint64_t now, bool blind, struct breach *b)
{
	return look_own(o, now, true, b) || monitor_end(&o->monitor, now, blind, b);
}

void output_usage(const struct output *o, struct figure *bytes, struct figure *files)
{
	struct budgeted last;

	*bytes = *files = (struct figure){LIMIT_NONE, HOW_UNAVAILABLE};
	if (o->result < 0) {
		monitor_usage(&o->monitor, bytes, files);
		return;
	}
	last = o->tree[o->result];
	measure(&last);
	/* Without a budget nothing says that the filesystem is the run's alone. */
	*bytes = (struct figure){last.bytes_used, o->result_exact ? HOW_EXACT : HOW_MONITORED};
	if (last.files_used != LIMIT_NONE)
		*files = (struct figure){last.files_used, bytes->how};
}

bool output_scratch_full(const struct output *o)
{
	for (unsigned i = 0; i < o->trees; i++)
		if (!o->tree[i].result && o->tree[i].full)
			return true;
	return false;
}
