/* The terminal, lent and taken back. */
#include "sys/terminal.h"

#include <unistd.h>

bool terminal_is_ours(void)
{
	return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

void terminal_take_back(void)
{
	tcsetpgrp(STDIN_FILENO, getpgrp());
}
