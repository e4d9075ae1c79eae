/* Who is at the other end of a unix socket. */
#include "intake/peer.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/files.h"

bool peer_status_pid1(const char *status)
{
	const char *line = strstr(status, "\nNSpid:");
	unsigned count = 0;
	long last = 0;

	if (!line)
		return false;
	for (line += strlen("\nNSpid:"); *line == '\t' || *line == ' '; count++) {
		char *end;
		last = strtol(line + 1, &end, 10);
		if (end == line + 1)
			return false;
		line = end;
	}
	return count >= 2 && last == 1;
}

bool peer_is_init(int socket, pid_t pid, dev_t device, ino_t inode)
{
	struct ucred peer;
	socklen_t size = sizeof peer;
	char path[64], status[4096];
	struct stat st;

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0 || peer.pid != pid)
		return false;
	(void)snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	if (file_read(AT_FDCWD, path, status, sizeof status) <= 0 || !peer_status_pid1(status))
		return false;
	(void)snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	return stat(path, &st) == 0 && st.st_dev == device && st.st_ino == inode;
}
