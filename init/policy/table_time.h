/*
 * Clocks and timers. Reading them is free, setting the machine's clock is not.
 * Columns as in table.h.
 */
/* clang-format off */
CALL(time,                     X86,   ALL,      NEVER,      "asks")
CALL(gettimeofday,             ANY,   ALL,      NEVER,      "asks")
CALL(clock_gettime,            ANY,   ALL,      NEVER,      "asks")
CALL(clock_getres,             ANY,   ALL,      NEVER,      "asks")
CALL(clock_nanosleep,          ANY,   ALL,      NEVER,      "sleeps")
CALL(nanosleep,                ANY,   ALL,      NEVER,      "sleeps")
CALL(alarm,                    X86,   ALL,      NEVER,      "its own timer")
CALL(getitimer,                ANY,   ALL,      NEVER,      "its own timer")
CALL(setitimer,                ANY,   ALL,      NEVER,      "its own timer")
CALL(timer_create,             ANY,   ALL,      NEVER,      "its own timer; signals only its own threads")
CALL(timer_settime,            ANY,   ALL,      NEVER,      "its own timer")
CALL(timer_gettime,            ANY,   ALL,      NEVER,      "its own timer")
CALL(timer_getoverrun,         ANY,   ALL,      NEVER,      "its own timer")
CALL(timer_delete,             ANY,   ALL,      NEVER,      "its own timer")
CALL(timerfd_create,           ANY,   ALL,      NEVER,      "its own timer")
CALL(timerfd_settime,          ANY,   ALL,      NEVER,      "its own timer")
CALL(timerfd_gettime,          ANY,   ALL,      NEVER,      "its own timer")
CALL(settimeofday,             ANY,   NOBODY,   EPERM,      "sets the machine's clock")
CALL(clock_settime,            ANY,   NOBODY,   EPERM,      "sets the machine's clock")
CALL(clock_adjtime,            ANY,   NOBODY,   EPERM,      "steers the machine's clock")
CALL(adjtimex,                 ANY,   NOBODY,   EPERM,      "steers the machine's clock")
/* clang-format on */
