/* Rounded numbers for people. Pure; integers only, so that no locale has a say in the decimal point. */
#include "judge/words.h"

#include <stdio.h>
#include <string.h>

#include "wire/limits.h"

char *word_size(uint64_t bytes, char out[WORD])
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	unsigned u = 0;
	uint64_t whole = bytes, rest = 0;

	if (bytes == LIMIT_NONE)
		return strcpy(out, "unknown");
	while (whole >= 1024) {
		rest = (whole % 1024) * 100 / 1024;
		whole /= 1024;
		u++;
	}
	if (u == 0 || (whole >= 100 && rest == 0))
		(void)snprintf(out, WORD, "%llu%s", (unsigned long long)whole, units[u]);
	else if (whole >= 10)
		(void)snprintf(out, WORD, "%llu.%llu%s", (unsigned long long)whole,
		    (unsigned long long)rest / 10, units[u]);
	else
		(void)snprintf(out, WORD, "%llu.%02llu%s", (unsigned long long)whole,
		    (unsigned long long)rest, units[u]);
	return out;
}

char *word_ms(uint64_t ms, char out[WORD])
{
	if (ms == LIMIT_NONE)
		return strcpy(out, "unknown");
	if (ms < 10000)
		(void)snprintf(
		    out, WORD, "%llu.%03llus", (unsigned long long)ms / 1000, (unsigned long long)ms % 1000);
	else
		(void)snprintf(out, WORD, "%llu.%llus", (unsigned long long)ms / 1000,
		    (unsigned long long)ms % 1000 / 100);
	return out;
}

char *word_decade(uint64_t count, char out[WORD])
{
	uint64_t low = 1;

	if (count == 0)
		return strcpy(out, "0");
	while (count / 10 >= low)
		low *= 10;
	if (low > UINT64_MAX / 10)
		(void)snprintf(out, WORD, "%llu-", (unsigned long long)low);
	else
		(void)snprintf(
		    out, WORD, "%llu-%llu", (unsigned long long)low, (unsigned long long)(low * 10 - 1));
	return out;
}

const char *word_signal(unsigned number)
{
	static const char *const names[] = {NULL, "SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP",
	    "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM",
	    "SIGTERM", "SIGSTKFLT", "SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU",
	    "SIGURG", "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO", "SIGPWR", "SIGSYS"};
	return number < sizeof names / sizeof *names ? names[number] : NULL;
}
