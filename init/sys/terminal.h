/* The terminal that init was started at, lent to the candidate in plain use (tcsetpgrp(3)). */
#ifndef PROCTOR_SYS_TERMINAL_H
#define PROCTOR_SYS_TERMINAL_H

#include <stdbool.h>

/* True when standard input is a terminal whose foreground is this process's group. */
bool terminal_is_ours(void);

/* Makes this process's group the foreground again: whoever started init goes on reading there. SIGTTOU is blocked. */
void terminal_take_back(void);

#endif
