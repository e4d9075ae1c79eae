/* Budgets of trees that are filesystems of their own. */
#include "watch/output.h"

#include <string.h>
#include <unistd.h>

#include "sys/room.h"
#include "wire/limits.h"

/* A look costs a microsecond or two; the filesystem's own size holds what is written between two. */
enum { PACE_BUSY = 5000, PACE_IDLE = 100000 };

/* A filesystem that is much larger than the budget is shared with others: its fill level is not the run's. */
static bool bounded(const struct room *r, uint64_t budget)
{
	return budget == LIMIT_NONE || r->bytes_all <= 2 * budget + MIB(16);
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
	return true;
}

static bool add(struct output *o, const char *path, bool result, uint64_t bytes, uint64_t files)
{
	struct budgeted *t = &o->tree[o->trees];
	struct room r;

	*t = (struct budgeted){.result = result, .bytes = bytes, .files = files, .pace = PACE_BUSY};
	t->files_used = LIMIT_NONE;
	t->fd = room_open(path);
	if (t->fd >= 0 && (room_is_mount(t->fd) != 1 || room_look(t->fd, &r) < 0 || !bounded(&r, bytes) ||
			      (files != LIMIT_NONE && r.inodes_all == LIMIT_NONE))) {
		close(t->fd);
		t->fd = -1;
	}
	if (t->fd < 0) {
		o->trees += result ? 1 : 0; /* kept, so that the result tree stays first */
		return false;
	}
	t->bytes_before = r.bytes_used;
	t->files_before = r.inodes_used == LIMIT_NONE ? 0 : r.inodes_used;
	/* A filesystem no larger than the budget holds it by itself. */
	if (!result && r.bytes_all <= bytes)
		t->bytes = LIMIT_NONE;
	measure(t);
	o->trees++;
	return true;
}

void output_open(struct output *o, const struct plan *plan)
{
	uint64_t each = plan->number[OPTION_SCRATCH_BYTES];

	memset(o, 0, sizeof *o);
	if (plan->text[OPTION_OUTPUT])
		add(o, plan->text[OPTION_OUTPUT], true, plan->number[OPTION_OUTPUT_BYTES],
		    plan->number[OPTION_OUTPUT_FILES]);
	if (each == LIMIT_NONE)
		return;
	o->scratch_bounded = plan->scratches > 0;
	for (unsigned i = 0; i < plan->scratches; i++)
		if (!add(o, plan->scratch[i], false, each, LIMIT_NONE))
			o->scratch_bounded = false;
	for (unsigned i = 0; i < plan->scratches; i++)
		if (strcmp(plan->scratch[i], "/dev/shm") == 0)
			return;
	add(o, "/dev/shm", false, each, LIMIT_NONE);
}

bool output_exact(const struct output *o)
{
	return o->trees > 0 && o->tree[0].result && o->tree[0].fd >= 0;
}

static bool limited(const struct budgeted *t)
{
	return t->fd >= 0 && (t->bytes != LIMIT_NONE || t->files != LIMIT_NONE);
}

uint64_t output_next(const struct output *o)
{
	uint64_t next = UINT64_MAX;

	for (unsigned i = 0; i < o->trees; i++)
		if (limited(&o->tree[i]) && o->tree[i].next < next)
			next = o->tree[i].next;
	return next;
}

static bool look(struct budgeted *t, uint64_t now, struct breach *b)
{
	uint64_t before = t->bytes_used;

	if (!measure(t))
		return false;
	t->pace = t->bytes_used != before ? PACE_BUSY : t->pace * 2 > PACE_IDLE ? PACE_IDLE : t->pace * 2;
	t->next = now + t->pace;
	b->graceful = false;
	if (t->bytes_used > t->bytes && t->bytes != LIMIT_NONE) {
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

bool output_look(struct output *o, uint64_t now, bool forced, struct breach *b)
{
	for (unsigned i = 0; i < o->trees; i++)
		if (limited(&o->tree[i]) && (forced || now >= o->tree[i].next) && look(&o->tree[i], now, b))
			return true;
	return false;
}

void output_usage(const struct output *o, struct figure *bytes, struct figure *files)
{
	struct budgeted last;

	*bytes = *files = (struct figure){LIMIT_NONE, HOW_UNAVAILABLE};
	if (!output_exact(o))
		return;
	last = o->tree[0];
	measure(&last);
	*bytes = (struct figure){last.bytes_used, HOW_EXACT};
	if (last.files_used != LIMIT_NONE)
		*files = (struct figure){last.files_used, HOW_EXACT};
}
