/*
 * Measures what a refused system call costs, from inside the candidate: batches of one denied call (mount, which no
 * profile allows) beside batches of an allowed one that is as short. Prints medians in microseconds, never judges them.
 *
 * usage: denied BATCHES
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 100 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return (a > b) - (a < b);
}

/* The median over all batches of one call's time, and the 99th percentile behind it. */
static double measure(long batches, long number, double *samples, double *high)
{
	for (long i = 0; i < batches; i++) {
		double start = now();

		for (int k = 0; k < BATCH; k++)
			syscall(number, 0L, 0L, 0L, 0L, 0L);
		samples[i] = (now() - start) / BATCH;
	}
	qsort(samples, (size_t)batches, sizeof *samples, compare);
	*high = samples[batches * 99 / 100];
	return samples[batches / 2];
}

int main(int argc, char **argv)
{
	long batches = argc > 1 ? strtol(argv[1], NULL, 10) : 200;
	double *samples = batches > 0 ? calloc((size_t)batches, sizeof *samples) : NULL;
	double high[2];
	double allowed;
	double denied;

	if (!samples)
		return 2;
	if (syscall(SYS_mount, 0L, 0L, 0L, 0L, 0L) == 0 || errno != EPERM) {
		free(samples);
		return 1;
	}
	allowed = measure(batches, SYS_getppid, samples, &high[0]);
	denied = measure(batches, SYS_mount, samples, &high[1]);
	free(samples);
	printf("%10.2f %10.2f %10.2f %10.2f\n", allowed, high[0], denied, high[1]);
	return 0;
}
