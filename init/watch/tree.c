/* The walk over /proc, without a heap and without allocating for longer than each read. */
#include "watch/tree.h"

#include <string.h>
#include <unistd.h>

#include "core/figures.h"
#include "core/text.h"
#include "sys/descendants.h"
#include "sys/dir.h"
#include "sys/file.h"

/* More living descendants than this are a lower bound; a limit on them is passed long before. */
enum { DESCENDANTS = 32768 };

static void add(int proc, const char *name, uint64_t ticks_a_second, struct tree *t)
{
	char path[32], text[512];
	struct process_stat s;
	struct text at;
	long n;

	text_start(&at, path, sizeof path);
	text_add(&at, name);
	text_add(&at, "/stat");
	n = file_read(proc, path, text, sizeof text);
	if (n < 0 || figure_process(text, (size_t)n, &s) < 0) {
		/* It ended meanwhile, or it hides: there it was. */
		t->tasks++;
		t->whole = false;
		return;
	}
	t->tasks += s.threads ? s.threads : 1;
	t->cpu_us += (s.ticks + s.reaped_ticks) * 1000000 / ticks_a_second;
	t->resident += s.resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void family(int proc, uint64_t most, uint64_t rate, struct tree *t)
{
	static pid_t found[DESCENDANTS];
	size_t n = descendants(proc, found, DESCENDANTS, &t->whole);

	for (size_t i = 0; i < n; i++) {
		char name[24];
		struct text at;
		text_start(&at, name, sizeof name);
		text_number(&at, (uint64_t)found[i]);
		add(proc, name, rate, t);
		if (t->tasks > most) {
			t->whole = false;
			break;
		}
	}
}

static void everybody(int proc, uint64_t most, uint64_t rate, struct tree *t)
{
	struct dir d;
	const char *name;
	unsigned char type;

	if (lseek(proc, 0, SEEK_SET) < 0) {
		t->whole = false;
		return;
	}
	dir_start(&d, proc);
	while ((name = dir_next(&d, &type))) {
		size_t length = strlen(name);
		if (length > 10 || figure_alone(name, length) == UINT64_MAX || strcmp(name, "1") == 0)
			continue;
		add(proc, name, rate, t);
		if (t->tasks > most) {
			t->whole = false;
			break;
		}
	}
	if (d.error)
		t->whole = false;
}

void tree_look(int proc, uint64_t most, struct tree *t)
{
	long rate = sysconf(_SC_CLK_TCK);

	memset(t, 0, sizeof *t);
	t->whole = true;
	if (getpid() == 1)
		everybody(proc, most, rate > 0 ? (uint64_t)rate : 100, t);
	else
		family(proc, most, rate > 0 ? (uint64_t)rate : 100, t);
}
