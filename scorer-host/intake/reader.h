/* The reader process: a table's hostile bytes to typed columns, in a process that has neither files nor a kernel. */
#ifndef PROCTOR_INTAKE_READER_H
#define PROCTOR_INTAKE_READER_H

#include "judge/columns.h"
#include "judge/table.h"
#include "sys/child.h"

struct read_table {
	int columns; /* sealed memory file, or -1; the caller closes it */
	struct columns_shape shape;
	struct table_report report;
	struct child_end end; /* how the process ended; the report counts only after a clean end */
};

/*
 * table: a regular file of that many bytes. 0 with *out filled, or -errno when no process could be run (out->columns is
 * -1 then). What the process left is checked for counts only: columns_check is the taker's.
 */
int reader_run(const struct table_spec *spec, int table, uint64_t bytes, struct read_table *out);

/* Whether the process did its work to the end. */
bool child_finished(const struct child_end *end);

/* Time for a process that goes once over that many bytes, very generous: it only has to end. */
uint64_t work_seconds(uint64_t bytes);

/* Maps a file's first `bytes` bytes to read; NULL with errno. An empty file maps to a page of nothing. */
const uint8_t *map_file(int fd, uint64_t bytes);

#endif
