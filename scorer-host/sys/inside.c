/* What the host itself sees of a container's inside. */
#include "sys/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/files.h"

enum { TEXT_MAX = 1 << 18 };

int inside_loopback_text(const char *net_dev)
{
	/* Two lines of headings, then "  NAME: figures" for each interface. */
	for (int line = 0; *net_dev; line++) {
		const char *name = net_dev + strspn(net_dev, " ");
		if (line >= 2 && *name && *name != '\n' && strncmp(name, "lo:", 3) != 0)
			return 0;
		net_dev += strcspn(net_dev, "\n");
		net_dev += *net_dev == '\n';
	}
	return 1;
}

int inside_root_text(const char *mountinfo)
{
	int read_only = 0;

	/* id parent major:minor root mountpoint options …; of several mounts on / the last one is on top. */
	while (*mountinfo) {
		const char *at = mountinfo;
		size_t n = strcspn(mountinfo, "\n");
		for (int i = 0; i < 4 && at; i++) {
			at = memchr(at, ' ', n - (size_t)(at - mountinfo));
			at = at ? at + 1 : NULL;
		}
		if (at && strncmp(at, "/ ", 2) == 0)
			read_only = strncmp(at + 2, "ro", 2) == 0 && (at[4] == ',' || at[4] == ' ');
		mountinfo += n;
		mountinfo += *mountinfo == '\n';
	}
	return read_only;
}

static int ask(pid_t pid, const char *file, int (*judge)(const char *text))
{
	char path[64], *text = malloc(TEXT_MAX);
	ssize_t n = -ENOMEM;
	int r;

	(void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
	if (text)
		n = file_read(AT_FDCWD, path, text, TEXT_MAX);
	r = n < 0 ? (int)n : judge(text);
	free(text);
	return r;
}

int inside_only_loopback(pid_t pid)
{
	return ask(pid, "net/dev", inside_loopback_text);
}

int inside_root_read_only(pid_t pid)
{
	return ask(pid, "mountinfo", inside_root_text);
}
