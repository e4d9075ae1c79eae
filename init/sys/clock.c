/* The clock that limits are measured on. */
#include "sys/clock.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static uint64_t microseconds(clockid_t id)
{
	struct timespec t;
	if (clock_gettime(id, &t) < 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

uint64_t clock_now(void)
{
	return microseconds(CLOCK_BOOTTIME);
}

uint64_t clock_own_cpu(void)
{
	return microseconds(CLOCK_PROCESS_CPUTIME_ID);
}

int clock_alarm(uint64_t when)
{
	struct itimerspec at = {0};
	int fd = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);

	if (fd < 0)
		return -errno;
	at.it_value.tv_sec = (time_t)(when / 1000000);
	at.it_value.tv_nsec = (long)(when % 1000000 * 1000);
	if (timerfd_settime(fd, TFD_TIMER_ABSTIME, &at, NULL) < 0) {
		int error = errno;
		close(fd);
		return -error;
	}
	return fd;
}

void clock_punctual(void)
{
	prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}
