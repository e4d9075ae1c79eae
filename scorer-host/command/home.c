/* What runs and show share. */
#include "command/home.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

const char *home_path(const char *given)
{
	const char *home = given ? given : getenv("PROCTOR_HOME");
	return home && *home ? home : "/var/lib/proctor";
}

int home_public_key(const char *home, struct signing_key *key, struct fault *fault)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof path, "%s/" OPERATOR_PUBLIC, home) >= (int)sizeof path ||
	    access(path, F_OK) < 0)
		return 1;
	return key_load_public(path, key, fault);
}

bool home_alive(const char *home, const char *run)
{
	char path[PATH_MAX];
	bool alive;
	int fd;

	if (snprintf(path, sizeof path, "%s/active/%s", home, run) >= (int)sizeof path)
		return false;
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	/* Shared, so that two who ask at once do not take each other for the runner. */
	alive = flock(fd, LOCK_SH | LOCK_NB) < 0;
	(void)close(fd);
	return alive;
}

int home_complain(const char *command, const struct fault *fault)
{
	(void)fprintf(stderr, "scorer-host %s: %s\n", command, fault->what);
	if (fault->hint[0])
		(void)fprintf(stderr, "  %s\n", fault->hint);
	return fault->verdict == VERDICT_NONE ? 2 : verdict_exit(fault->verdict);
}

void home_print(FILE *out, const char *text)
{
	for (text = text ? text : "-"; *text; text++) {
		unsigned char c = (unsigned char)text[0], next = (unsigned char)text[1];
		/* The control characters of ISO 6429 have a second form in UTF-8. */
		bool control = c < 0x20 || c == 0x7f || (c == 0xc2 && next >= 0x80 && next < 0xa0);
		(void)fputc(control ? '?' : c, out);
		text += control && c == 0xc2;
	}
}
