/* Breadth first, with the answer itself as the queue. */
#include "sys/descendants.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/text.h"
#include "sys/dir.h"

struct queue {
	pid_t *pid;
	size_t cap, have;
	bool whole;
};

static void push(struct queue *q, pid_t pid)
{
	if (q->have == q->cap) {
		q->whole = false;
		return;
	}
	q->pid[q->have++] = pid;
}

/* The numbers of one `children` file. */
static void children(struct queue *q, int tasks, const char *name)
{
	char path[32], bytes[1024];
	pid_t number = 0;
	ssize_t n;
	int fd;

	if (strlen(name) > 10)
		return;
	strcpy(path, name);
	strcat(path, "/children");
	fd = openat(tasks, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		q->whole = false; /* the thread ended meanwhile, and its children moved */
		return;
	}
	while ((n = read(fd, bytes, sizeof bytes)) > 0)
		for (ssize_t i = 0; i < n; i++) {
			if (bytes[i] >= '0' && bytes[i] <= '9') {
				number = number * 10 + (bytes[i] - '0');
			} else if (number > 0) {
				push(q, number);
				number = 0;
			}
		}
	if (number > 0)
		push(q, number);
	if (n < 0)
		q->whole = false;
	close(fd);
}

static void threads(struct queue *q, int proc, const char *path)
{
	struct dir d;
	const char *name;
	unsigned char type;

	if (dir_open(&d, proc, path) < 0) {
		q->whole = false;
		return;
	}
	while ((name = dir_next(&d, &type)))
		if (name[0] != '.')
			children(q, d.fd, name);
	if (d.error)
		q->whole = false;
	dir_close(&d);
}

size_t descendants(int proc, pid_t *out, size_t cap, bool *whole)
{
	struct queue q = {out, cap, 0, true};

	threads(&q, proc, "self/task");
	for (size_t i = 0; i < q.have; i++) {
		char path[32];
		struct text t;
		text_start(&t, path, sizeof path);
		text_number(&t, (uint64_t)q.pid[i]);
		text_add(&t, "/task");
		threads(&q, proc, path);
	}
	*whole = q.whole;
	return q.have;
}
