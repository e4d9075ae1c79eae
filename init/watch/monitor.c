/* Monitored trees. */
#include "watch/monitor.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/pace.h"
#include "sys/clock.h"
#include "sys/entry.h"
#include "wire/limits.h"

/* Some entries between two looks at the clock; a turn; counts take no more than a five-hundredth of a core. */
enum {
	PIECE = 64,
	TURN = 1000,
	BREAK = 3000,
	SHARE = 500,
	SURVEY_SOONEST = 250000,
	SURVEY_LATEST = 120000000
};
/* Where a neighbour fills the same filesystem, the candidate is stopped for no more than a fifth of the time. The last
 * count of all may take this long. */
enum { DECISION_SHARE = 4, DECISION_SOONEST = PACE_SOONEST, END_BOUND = 2000000 };

void monitor_open(struct monitor *m, int proc, const struct fsids *as)
{
	m->proc = proc;
	m->as = *as;
	m->next = m->next_survey = UINT64_MAX;
}

static uint64_t since(uint64_t now, uint64_t then)
{
	return now == LIMIT_NONE || then == LIMIT_NONE || now < then ? 0 : now - then;
}

static uint64_t used_bytes(const struct monitored *t)
{
	return since(t->counted_bytes, t->had_bytes);
}

static uint64_t used_files(const struct monitored *t)
{
	return since(t->counted_files, t->had_files);
}

static bool ask(struct monitored *t)
{
	struct room r;

	if (room_look(t->fs, &r) < 0)
		return false;
	t->grown = since(r.bytes_used, t->then.bytes_used);
	t->grown_files = since(r.inodes_used, t->then.inodes_used);
	return true;
}

/* What it may have used at most, as far as the filesystem tells. */
static bool may_be_over(const struct monitored *t)
{
	return (t->bytes != LIMIT_NONE && used_bytes(t) + t->grown > t->bytes) ||
	       (t->files != LIMIT_NONE && used_files(t) + t->grown_files > t->files);
}

static void begin_tree(struct monitor *m)
{
	struct monitored *t = &m->tree[m->at];

	m->holding = false;
	t->before_bytes = t->counted_bytes;
	t->before_files = t->counted_files;
	scan_start(&m->scan, t->top, &m->as, m->hold);
}

static void begin(struct monitor *m, enum monitor_state state, uint64_t now)
{
	holders_stop(&m->holders);
	m->state = state;
	m->hold = state == MONITOR_DECIDES;
	m->thorough = false;
	m->at = 0;
	m->began = now;
	m->spent = 0;
	for (unsigned i = 0; i < m->trees; i++)
		(void)room_look(m->tree[i].fs, &m->tree[i].asked);
	begin_tree(m);
}

/* True when the budget is passed by what was counted so far. */
static bool counted_over(const struct monitor *m, const struct monitored *t)
{
	return (t->bytes != LIMIT_NONE && since(m->scan.bytes, t->had_bytes) > t->bytes) ||
	       (t->files != LIMIT_NONE && since(m->scan.files, t->had_files) > t->files);
}

/* Goes on with the tree at hand. True when it is counted, or counted far enough. */
static bool count(struct monitor *m, unsigned entries)
{
	struct monitored *t = &m->tree[m->at];

	if (!m->holding) {
		if (!scan_turn(&m->scan, entries) && !counted_over(m, t))
			return false;
		scan_stop(&m->scan);
		if (counted_over(m, t))
			return true;
		m->holding = true;
		t->tree.found = &m->scan;
		holders_start(&m->holders, m->proc, &m->as, &t->tree, m->thorough);
	}
	if (!holders_turn(&m->holders, entries) && !counted_over(m, t))
		return false;
	holders_stop(&m->holders);
	return true;
}

/* The most that the tree can hold: what was known, and what its filesystem grew by and no other tree there explains. */
static uint64_t possible(const struct monitor *m, const struct monitored *t)
{
	uint64_t others = 0, most;

	for (unsigned i = 0; i < m->trees; i++)
		if (&m->tree[i] != t && m->tree[i].tree.device == t->tree.device)
			others += since(m->tree[i].counted_bytes, m->tree[i].before_bytes);
	most = t->before_bytes + since(t->grown, others);
	return most > t->counted_bytes ? most : t->counted_bytes;
}

static bool breached(
    const struct monitored *t, bool files, uint64_t observed, const char *proof, struct breach *b)
{
	*b = (struct breach){.verdict = files	    ? VERDICT_OUTPUT_FILES
					: t->result ? VERDICT_OUTPUT_BYTES
						    : VERDICT_SCRATCH_BYTES,
	    .limit = files ? t->files : t->bytes,
	    .observed = observed,
	    .unit = files ? "count" : "bytes",
	    .proof = proof};
	return true;
}

static bool decide(const struct monitor *m, struct breach *b)
{
	for (unsigned i = 0; i < m->trees; i++) {
		const struct monitored *t = &m->tree[i];
		uint64_t bytes = used_bytes(t), files = used_files(t);
		if (t->bytes != LIMIT_NONE && bytes > t->bytes)
			return breached(
			    t, false, bytes, "counted inode by inode while the candidate was stopped", b);
		if (t->files != LIMIT_NONE && files > t->files)
			return breached(
			    t, true, files, "counted one by one while the candidate was stopped", b);
		bytes = since(possible(m, t), t->had_bytes);
		if (t->bytes != LIMIT_NONE && t->hidden && m->thorough && bytes > t->bytes)
			return breached(t, false, bytes,
			    "growth of the filesystem, while a process or folder of the candidate's hides "
			    "what it holds",
			    b);
	}
	return false;
}

/* True when a closer look could find what the filesystem has more than was counted. */
static bool wants_thorough(const struct monitor *m)
{
	for (unsigned i = 0; i < m->trees && !m->thorough; i++) {
		const struct monitored *t = &m->tree[i];
		if (t->bytes != LIMIT_NONE && since(possible(m, t), t->had_bytes) > t->bytes)
			return true;
	}
	return false;
}

static void take_survey(const struct monitor *m, struct monitored *t)
{
	/* Counted while it moved: more is a fact, less is none. */
	if (m->scan.bytes > t->counted_bytes + t->grown ||
	    m->scan.files > t->counted_files + t->grown_files) {
		t->counted_bytes = m->scan.bytes;
		t->counted_files = m->scan.files;
		t->then = t->asked;
	}
}

static void take_decision(struct monitor *m, struct monitored *t)
{
	t->counted_bytes = m->scan.bytes;
	t->counted_files = m->scan.files;
	t->hidden = m->scan.hidden || m->holders.hidden;
	m->capped |= counted_over(m, t);
}

/* Everybody was counted while nobody moved: from here on growth is counted anew, but for what may be hidden. */
static void settle(struct monitor *m)
{
	for (unsigned i = 0; i < m->trees; i++) {
		struct monitored *t = &m->tree[i];
		if (t->hidden)
			t->counted_bytes = possible(m, t);
		t->then = t->asked;
		(void)ask(t);
	}
}

static uint64_t between(uint64_t v, uint64_t least, uint64_t most)
{
	return v < least ? least : v > most ? most : v;
}

static void rest(struct monitor *m, uint64_t now)
{
	if (m->state == MONITOR_DECIDES)
		m->next_decision = now + between(m->spent * DECISION_SHARE, DECISION_SOONEST, SURVEY_LATEST);
	m->next_survey = now + between(m->spent * SHARE, SURVEY_SOONEST, SURVEY_LATEST);
	m->state = MONITOR_RESTS;
	m->hold = false;
}

/* A tree is counted. True when a budget is passed. */
static bool counted(struct monitor *m, uint64_t now, struct breach *b)
{
	struct monitored *t = &m->tree[m->at];
	bool deciding = m->state == MONITOR_DECIDES;

	(void)ask(t);
	if (deciding)
		take_decision(m, t);
	else if (counted_over(m, t)) {
		begin(m, MONITOR_DECIDES, now); /* but it moved: once more, and nobody moves */
		return false;
	} else
		take_survey(m, t);
	if (++m->at < m->trees) {
		begin_tree(m);
		return false;
	}
	if (deciding && decide(m, b)) {
		m->state = MONITOR_RESTS;
		m->hold = false;
		m->ended = true;
		return true;
	}
	if (deciding && wants_thorough(m)) {
		for (unsigned i = 0; i < m->trees; i++) {
			m->tree[i].counted_bytes = m->tree[i].before_bytes;
			m->tree[i].counted_files = m->tree[i].before_files;
		}
		m->thorough = true;
		m->at = 0;
		begin_tree(m);
		return false;
	}
	if (deciding)
		settle(m);
	rest(m, now);
	return false;
}

static bool work(struct monitor *m, uint64_t now, uint64_t until, struct breach *b)
{
	bool passed = false;

	while (!passed && m->state != MONITOR_RESTS && now < until &&
	       (m->state == MONITOR_SURVEYS || m->stopped)) {
		/* Its own work: others' turns on a busy machine are not the count's cost. */
		uint64_t began = clock_own_cpu();
		bool done = count(m, PIECE);
		m->spent += clock_own_cpu() - began;
		now = clock_now();
		if (done)
			passed = counted(m, now, b);
	}
	return passed;
}

static void look(struct monitor *m, uint64_t now)
{
	uint64_t pace = PACE_LATEST, passed = now - m->looked;

	if (!m->looked)
		m->changed = now;
	for (unsigned i = 0; i < m->trees; i++) {
		struct monitored *t = &m->tree[i];
		uint64_t before = t->grown, files = t->grown_files, each = PACE_LATEST;
		if (!ask(t))
			continue;
		if (t->grown != before || t->grown_files != files)
			m->changed = now;
		if (m->looked && passed && since(t->grown, before) / passed > m->rate)
			m->rate = since(t->grown, before) / passed;
		if (t->bytes != LIMIT_NONE)
			each = pace_bytes(since(t->bytes, used_bytes(t) + t->grown), m->rate);
		pace = each < pace ? each : pace;
		if (t->files != LIMIT_NONE)
			each = pace_files(since(t->files, used_files(t) + t->grown_files));
		pace = each < pace ? each : pace;
	}
	m->looked = now;
	m->next = now + pace_calm(pace, now - m->changed);
}

bool monitor_turn(struct monitor *m, uint64_t now, struct breach *b)
{
	bool over = false;

	if (m->ended || !m->armed || m->trees == 0)
		return false;
	if (m->state != MONITOR_DECIDES && now >= m->next) {
		look(m, now);
		for (unsigned i = 0; i < m->trees; i++)
			over |= may_be_over(&m->tree[i]);
		if (over && now >= m->next_decision)
			begin(m, MONITOR_DECIDES, now);
		else if (over)
			m->next = m->next_decision;
	}
	if (m->state == MONITOR_RESTS && now >= m->next_survey)
		begin(m, MONITOR_SURVEYS, now);
	if (m->state == MONITOR_SURVEYS && now < m->next_turn)
		return false;
	over = work(m, now, now + TURN, b);
	m->next_turn = clock_now() + BREAK;
	return over;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t monitor_next(const struct monitor *m)
{
	if (m->ended || !m->armed)
		return UINT64_MAX;
	if (m->state == MONITOR_DECIDES)
		return 0;
	return sooner(m->next, m->state == MONITOR_RESTS ? m->next_survey : m->next_turn);
}

bool monitor_end(struct monitor *m, uint64_t now, bool blind, struct breach *b)
{
	bool passed;

	if (m->trees == 0 || m->ended)
		return false;
	m->ended = true;
	for (unsigned i = 0; i < m->trees; i++)
		(void)ask(&m->tree[i]);
	m->capped = blind;
	if (blind)
		return false;
	begin(m, MONITOR_DECIDES, now);
	m->stopped = true;
	passed = work(m, now, now + END_BOUND, b);
	m->capped |= m->state != MONITOR_RESTS;
	scan_stop(&m->scan);
	holders_stop(&m->holders);
	m->state = MONITOR_RESTS;
	m->hold = false;
	return passed;
}

void monitor_usage(const struct monitor *m, struct figure *bytes, struct figure *files)
{
	const struct monitored *t = &m->tree[0];
	enum how how;

	if (m->trees == 0 || !t->result)
		return;
	how = t->hidden || m->capped || t->top < 0 ? HOW_LOWER_BOUND : HOW_MONITORED;
	*bytes = (struct figure){used_bytes(t), how};
	*files = (struct figure){used_files(t), how};
}

/* As the kernel names the folder, without a mark that it is gone. */
static void name(const struct monitor *m, struct monitored *t)
{
	char path[40] = "self/fd/", digits[16];
	size_t n = strlen(path), d = sizeof digits;
	int fd = t->fs;
	ssize_t got;

	do
		digits[--d] = (char)('0' + fd % 10);
	while (fd /= 10);
	memcpy(path + n, digits + d, sizeof digits - d);
	path[n + sizeof digits - d] = '\0';
	got = m->proc < 0 ? -1 : readlinkat(m->proc, path, t->tree.path, HOLDERS_PATH);
	t->tree.path[got > 0 && got < HOLDERS_PATH ? got : 0] = '\0';
}

bool monitor_add(struct monitor *m, int fs, bool result, uint64_t bytes, uint64_t files)
{
	struct monitored *t = &m->tree[m->trees];
	struct entry e;

	if (m->trees == MONITOR_TREES)
		return false;
	*t = (struct monitored){.fs = fs, .result = result, .bytes = bytes, .files = files};
	if (room_look(fs, &t->then) < 0 || entry_of(fs, &e) < 0)
		return false;
	t->top = scan_open(fs, &m->as);
	t->tree.device = e.device;
	t->tree.whole = room_is_mount(fs) == 1 && room_is_whole(fs) == 1;
	t->tree.layered = !t->then.local;
	name(m, t);
	m->at = m->trees++;
	begin_tree(m);
	while (!scan_turn(&m->scan, PIECE))
		;
	t->had_bytes = t->counted_bytes = m->scan.bytes;
	t->had_files = t->counted_files = m->scan.files;
	(void)room_look(fs, &t->then);
	m->next = m->next_survey = 0;
	return true;
}
