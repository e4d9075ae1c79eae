/* The walk over /proc, without a heap and without allocating for longer than each read. */
#include "watch/tree.h"

#include <string.h>
#include <unistd.h>

#include "core/figures.h"
#include "sys/dir.h"
#include "sys/file.h"

static void add(int proc, const char *name, size_t length, uint64_t ticks_a_second, struct tree *t)
{
	char path[32], text[512];
	struct process_stat s;
	long n;

	memcpy(path, name, length);
	strcpy(path + length, "/stat");
	n = file_read(proc, path, text, sizeof text);
	if (n < 0 || figure_process(text, (size_t)n, &s) < 0) {
		/* It ended meanwhile, or it hides: there it was. */
		t->tasks++;
		t->whole = false;
		return;
	}
	t->tasks += s.threads ? s.threads : 1;
	t->cpu_us += (s.ticks + s.reaped_ticks) * 1000000 / ticks_a_second;
}

void tree_look(int proc, uint64_t most, struct tree *t)
{
	long rate = sysconf(_SC_CLK_TCK);
	struct dir d;
	const char *name;
	unsigned char type;

	memset(t, 0, sizeof *t);
	t->whole = true;
	if (lseek(proc, 0, SEEK_SET) < 0) {
		t->whole = false;
		return;
	}
	dir_start(&d, proc);
	while ((name = dir_next(&d, &type))) {
		size_t length = strlen(name);
		if (length > 10 || figure_alone(name, length) == UINT64_MAX || strcmp(name, "1") == 0)
			continue;
		add(proc, name, length, rate > 0 ? (uint64_t)rate : 100, t);
		if (t->tasks > most) {
			t->whole = false;
			break;
		}
	}
	if (d.error)
		t->whole = false;
}
