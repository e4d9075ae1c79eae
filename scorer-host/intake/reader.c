/*
 * Runs judge/table.c on a table in a confined process. The process sees the table and the block for its columns, whose
 * size was fixed before; of what it says about the table only numbers within their bounds are taken.
 */
#include "intake/reader.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sys/memfd.h"

enum { WORK_SECONDS = 60, BYTES_A_SECOND = 1 << 20, WORK_MEMORY = 16 << 20 };

struct reader_work {
	const struct table_spec *spec;
	int table, columns_fd;
	uint64_t bytes;
	const struct columns_shape *shape;
	struct table_report *report; /* shared with the parent */
	const uint8_t *text;
	void *block;
};

const uint8_t *map_file(int fd, uint64_t bytes)
{
	int flags = bytes ? MAP_PRIVATE : MAP_PRIVATE | MAP_ANONYMOUS;
	void *p = mmap(NULL, bytes ? bytes : 1, PROT_READ, flags, bytes ? fd : -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

uint64_t work_seconds(uint64_t bytes)
{
	return WORK_SECONDS + bytes / BYTES_A_SECOND;
}

bool child_finished(const struct child_end *end)
{
	return !end->late && !end->signal && !end->error && end->status == 0;
}

static int prepare(void *argument)
{
	struct reader_work *w = argument;
	w->text = map_file(w->table, w->bytes);
	if (!w->text)
		return -errno;
	w->block = mmap(NULL, w->shape->size, PROT_READ | PROT_WRITE, MAP_SHARED, w->columns_fd, 0);
	return w->block == MAP_FAILED ? -errno : 0;
}

static int work(void *argument)
{
	struct reader_work *w = argument;
	struct columns columns;
	columns_bind(&columns, w->block, w->shape);
	columns_start(&columns);
	table_read(w->text, w->bytes, w->spec, &columns, w->report);
	return 0;
}

/* Takes only what can be a report of a table with that many bytes. */
static bool report_plausible(const struct table_report *r, const struct table_spec *spec, uint64_t bytes)
{
	for (int k = 0; k < TABLE_KIND_END; k++) {
		const struct table_fault *f = &r->fault[k];
		if (f->reason >= REASON_END || f->sample_length > TABLE_SAMPLE ||
		    f->count > bytes + spec->count + 1 || f->row > bytes + 1 ||
		    (f->field != FIELD_NONE && f->field >= spec->count))
			return false;
	}
	bool worse = r->fault[TABLE_KIND_SIZE].count || r->fault[TABLE_KIND_FORMAT].count ||
		     r->fault[TABLE_KIND_COLUMNS].count;
	return r->rows <= bytes && r->bom <= 1 && r->clean == !worse;
}

int reader_run(const struct table_spec *spec, int table, uint64_t bytes, struct read_table *out)
{
	memset(out, 0, sizeof *out);
	out->columns = -1;
	int r = columns_shape(spec, bytes, &out->shape);
	if (r < 0)
		return r;
	int fd = memfd_block("columns", out->shape.size);
	if (fd < 0)
		return fd;
	struct table_report *report = memory_shared(sizeof *report);
	struct reader_work w = {spec, table, fd, bytes, &out->shape, report, NULL, NULL};
	const struct child_work child = {.prepare = prepare,
	    .work = work,
	    .argument = &w,
	    .confinement = {.memory = WORK_MEMORY, .cpu_seconds = work_seconds(bytes)},
	    .deadline_ms = 4000 * work_seconds(bytes)};
	r = report ? child_run(&child, &out->end) : -ENOMEM;
	if (r == 0) {
		out->report = *report;
		if (child_finished(&out->end) && !report_plausible(&out->report, spec, bytes))
			out->end.status = 1;
		r = memfd_seal(fd);
	}
	if (report)
		(void)munmap(report, sizeof *report);
	if (r < 0)
		close(fd);
	else
		out->columns = fd;
	return r;
}
