/*
 * The table reader on any bytes, in this process. The first byte picks the spec; whatever comes, the block must pass
 * its own checks, the report must add up, and a second reading must give the same.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "judge/columns.h"
#include "judge/fault.h"
#include "judge/match.h"
#include "judge/table.h"
#include "judge/table_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char cat[] = "cat", dog[] = "dog";
static char *labels[] = {cat, dog};
static const struct table_spec specs[] = {
    {.field = {{.name = "id", .type = COLUMN_LABEL},
	 {.name = "p", .type = COLUMN_NUMBER, .has_min = true, .has_max = true, .min = 0, .max = 1}},
	.ids = 1,
	.count = 2},
    {.field = {{.name = "id", .type = COLUMN_LABEL}, {.name = "site", .type = COLUMN_LABEL},
	 {.name = "n", .type = COLUMN_INTEGER, .has_min = true, .min = 1},
	 {.name = "l", .type = COLUMN_LABEL, .labels = labels, .label_count = 2}},
	.ids = 2,
	.count = 4},
    {.field = {{.name = "id", .type = COLUMN_LABEL}, {.name = "y", .type = COLUMN_LABEL}},
	.ids = 1,
	.count = 2,
	.others = true},
};

static void require(int holds)
{
	if (!holds)
		abort();
}

static void *read_once(const uint8_t *data, size_t size, const struct table_spec *spec,
    const struct columns_shape *shape, struct columns *c, struct table_report *report)
{
	void *block = calloc(1, shape->size);
	require(block != NULL);
	columns_bind(c, block, shape);
	columns_start(c);
	table_read(data, size, spec, c, report);
	return block;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t key[2] = {3, 4};
	struct columns_shape shape;
	struct columns c, again;
	struct table_report report, second;
	struct match_report match;
	struct fault fault;

	if (size == 0)
		return 0;
	const struct table_spec *spec = &specs[data[0] % (sizeof specs / sizeof *specs)];
	/* A copy of exactly this size: a read past it is seen. */
	uint8_t *bytes = malloc(size);
	require(bytes != NULL);
	memcpy(bytes, data + 1, size - 1);
	require(columns_shape(spec, size - 1, &shape) == 0);
	void *block = read_once(bytes, size - 1, spec, &shape, &c, &report);
	void *other = read_once(bytes, size - 1, spec, &shape, &again, &second);
	require(memcmp(&report, &second, sizeof report) == 0 && memcmp(block, other, shape.size) == 0);
	require(columns_check(&c, spec, !report.fault[TABLE_KIND_VALUE].count) == 0);
	require(report.rows <= size && c.header->rows <= report.rows);
	require(!report.clean || c.header->rows == report.rows);
	if (table_verdict(&report) != VERDICT_NONE) {
		(void)table_fault_text(&fault, table_verdict(&report), "t.csv", spec, &report, true);
		require(strlen(fault.what) > 0 && fault.count > 0);
	}
	if (report.clean) {
		uint32_t *row_of = calloc(c.header->rows + 1, sizeof *row_of);
		require(row_of && match_ids(&c, &again, key, row_of, &match) == 0);
		require(match.truth_duplicate.count ||
			!(match.unknown.count | match.missing.count | match.duplicate.count));
		free(row_of);
	}
	free(other);
	free(block);
	free(bytes);
	return 0;
}
