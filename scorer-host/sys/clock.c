/* The host's own clocks. */
#include "sys/clock.h"

#include <stdio.h>
#include <time.h>

uint64_t clock_ms(void)
{
	struct timespec t = {0, 0};
	(void)clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void clock_utc(char out[32])
{
	struct timespec t = {0, 0};
	struct tm tm;
	char date[24] = "";

	(void)clock_gettime(CLOCK_REALTIME, &t);
	if (gmtime_r(&t.tv_sec, &tm))
		(void)strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &tm);
	(void)snprintf(out, 32, "%s.%03dZ", date, (int)(t.tv_nsec / 1000000 % 1000));
}
