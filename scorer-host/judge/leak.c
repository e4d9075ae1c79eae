/* The search for the truth in one file. Bounded by the number of columns (64) times the rows. Pure. */
#include "judge/leak.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "judge/columns.h"
#include "judge/match.h"
#include "judge/table.h"

enum { CLASSES = 64, ROWS_ENOUGH = 8, NAMES = 4096, FILE_COLUMNS = 64 };

struct table {
	void *block;
	struct columns columns;
};

/* Reads a table of that shape; the block is NULL when it is none. */
static int take(const uint8_t *bytes, size_t n, const struct table_spec *spec, struct table *t)
{
	struct columns_shape shape;
	struct table_report report;
	t->block = NULL;
	if (columns_shape(spec, n, &shape) < 0)
		return 0;
	t->block = calloc(1, shape.size);
	if (!t->block)
		return -ENOMEM;
	columns_bind(&t->columns, t->block, &shape);
	columns_start(&t->columns);
	table_read(bytes, n, spec, &t->columns, &report);
	if (!report.clean) {
		free(t->block);
		t->block = NULL;
	}
	return 0;
}

/* The names in a header line, each NUL-terminated in `names`; how many, 0 when it is no such line. */
static size_t header_names(const uint8_t *bytes, size_t n, char names[NAMES], const char *name[FILE_COLUMNS])
{
	size_t count = 0, used = 0;
	static const uint8_t bom[3] = {0xef, 0xbb, 0xbf};
	size_t at = n >= sizeof bom && memcmp(bytes, bom, sizeof bom) == 0 ? sizeof bom : 0;
	while (at < n && used < NAMES && count < FILE_COLUMNS) {
		bool quoted = bytes[at] == '"';
		const char *ends = quoted ? "\"\r\n" : ",\r\n";
		at += quoted;
		name[count++] = names + used;
		while (at < n && used < NAMES - 1 && !memchr(ends, bytes[at], 3))
			names[used++] = (char)bytes[at++];
		names[used++] = '\0';
		if (quoted && at < n && bytes[at] == '"')
			at++;
		if (at == n || bytes[at] == '\r' || bytes[at] == '\n')
			return count;
		if (bytes[at++] != ',')
			return 0;
	}
	return 0;
}

/*
 * Whether two columns are each other's renaming over the paired rows, with at least two classes. Beyond CLASSES classes
 * they must agree byte for byte.
 */
static bool goes_with(
    const struct columns *truth, size_t t, const struct columns *file, size_t f, const uint32_t *row_of)
{
	const uint64_t *known[CLASSES], *said[CLASSES];
	size_t classes = 0;
	bool equal = true;
	for (uint64_t i = 0; i < truth->header->rows; i++) {
		if (row_of[i] == UNMATCHED)
			continue;
		const uint64_t *x = &truth->cell[t][i], *y = &file->cell[f][row_of[i]];
		equal = equal && cell_same_text(truth, x, file, y);
		size_t c = 0;
		while (c < classes && !cell_same_text(truth, known[c], truth, x) &&
		       !cell_same_text(file, said[c], file, y))
			c++;
		if (c == classes && classes < CLASSES) {
			known[classes] = x;
			said[classes++] = y;
		} else if (c == classes ? !equal
					: !cell_same_text(truth, known[c], truth, x) ||
					      !cell_same_text(file, said[c], file, y)) {
			return false;
		}
	}
	return classes >= 2;
}

/* Looks for one truth column among the file's. */
static bool find_column(const char *wanted, size_t t, const struct columns *truth,
    const struct table_spec *spec, const struct columns *file, const uint32_t *row_of, uint64_t paired,
    struct leak *out)
{
	for (size_t f = 1; f < file->shape.stored; f++) {
		const char *name = spec->field[spec->ids + f - 1].name;
		bool enough = paired >= ROWS_ENOUGH || strcmp(name, wanted) == 0;
		if (!enough || !goes_with(truth, t, file, f, row_of))
			continue;
		*out = (struct leak){.kind = LEAK_COLUMN, .agree = paired, .rows = truth->header->rows};
		strncpy(out->column, name, LEAK_NAME - 1);
		return true;
	}
	return false;
}

/* What groups rows may be known; what they are scored against may not. */
static void compare(const struct task *task, const struct table_spec *truth_spec, const struct columns *truth,
    const struct table_spec *spec, const struct columns *file, const uint32_t *row_of, uint64_t paired,
    struct leak *out)
{
	for (uint32_t m = 0; m < task->metric_count; m++)
		for (uint32_t event = 0; event < 2; event++) {
			const char *wanted = event ? task->metric[m].event : task->metric[m].truth;
			size_t t = wanted ? truth_cell(truth_spec, wanted) : 0;
			if (!t || !find_column(wanted, t, truth, spec, file, row_of, paired, out))
				continue;
			out->metric = m;
			out->event = event;
			return;
		}
}

static int try_ids(const struct task *task, const struct table_spec *truth_spec, const struct columns *truth,
    const struct table_spec *spec, const uint8_t *bytes, size_t n, const uint64_t key[2], struct leak *out)
{
	struct table file;
	struct match_report report;
	uint64_t rows = truth->header->rows;
	int r = take(bytes, n, spec, &file);
	if (r < 0 || !file.block)
		return r;
	uint32_t *row_of = calloc(rows + 1, sizeof *row_of);
	r = row_of ? match_ids(truth, &file.columns, key, row_of, &report) : -ENOMEM;
	if (r == 0 && rows && report.missing.count <= rows / 2)
		compare(
		    task, truth_spec, truth, spec, &file.columns, row_of, rows - report.missing.count, out);
	free(row_of);
	free(file.block);
	return r;
}

/* All columns of the file, with those of that set as the id. */
static void spec_of_file(const char *const *name, size_t count, uint64_t ids, struct table_spec *spec)
{
	memset(spec, 0, sizeof *spec);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < count; i++)
			if ((ids >> i & 1) == (pass == 0))
				spec->field[spec->count++] =
				    (struct table_field){.name = name[i], .type = COLUMN_LABEL};
		if (pass == 0)
			spec->ids = spec->count;
	}
}

/* The id's columns by name, in the task's order; false when one is not there. */
static bool named_ids(const struct task *task, const char *const *name, size_t count, struct table_spec *spec)
{
	uint64_t set = 0;
	for (size_t k = 0; k < task->id_count; k++) {
		size_t i = 0;
		while (i < count && strcmp(name[i], task->id[k]) != 0)
			i++;
		if (i == count)
			return false;
		set |= UINT64_C(1) << i;
	}
	spec_of_file(name, count, set, spec);
	for (size_t k = 0; k < task->id_count; k++)
		spec->field[k].name = task->id[k];
	return true;
}

static int search(const struct task *task, const struct table_spec *truth_spec, const struct columns *truth,
    const uint8_t *bytes, size_t n, const uint64_t key[2], struct leak *out)
{
	char names[NAMES];
	const char *name[FILE_COLUMNS];
	struct table_spec spec;
	size_t count = header_names(bytes, n, names, name);
	if (count < 2)
		return 0;
	if (named_ids(task, name, count, &spec))
		return try_ids(task, truth_spec, truth, &spec, bytes, n, key, out);
	int r = 0;
	/* The id may have another name here: any column whose values are the truth's ids will do. */
	for (size_t i = 0; r == 0 && task->id_count == 1 && i < count && out->kind == LEAK_NONE; i++) {
		spec_of_file(name, count, UINT64_C(1) << i, &spec);
		r = try_ids(task, truth_spec, truth, &spec, bytes, n, key, out);
	}
	return r;
}

int leak_find(const struct task *task, const uint8_t *truth, size_t truth_bytes, const uint8_t *file,
    size_t file_bytes, const uint64_t key[2], struct leak *out)
{
	struct table_spec spec;
	struct table t;
	memset(out, 0, sizeof *out);
	if (truth_bytes == file_bytes && memcmp(truth, file, file_bytes) == 0) {
		out->kind = LEAK_BYTES;
		return 0;
	}
	spec_of_truth(task, &spec);
	int r = take(truth, truth_bytes, &spec, &t);
	if (r < 0 || !t.block)
		return r;
	r = search(task, &spec, &t.columns, file, file_bytes, key, out);
	free(t.block);
	return r;
}
