/* SHA-256 (FIPS 180-4) through libcrypto, which uses the processor's own instructions: for bulk, unlike wire/chain. */
#ifndef PROCTOR_SYS_DIGEST_H
#define PROCTOR_SYS_DIGEST_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { DIGEST_HEX = 65 };

/*
 * Digest of a regular file from its first byte to its end, in lower-case hex; the file offset is left alone. bytes may
 * be NULL; it gets the number of bytes that were hashed. 0 or -errno.
 */
int digest_fd(int fd, char hex[DIGEST_HEX], uint64_t *bytes);

/* Digest of n bytes in memory, in lower-case hex. Dies when libcrypto refuses: there is no result to go on with. */
void digest_bytes(const void *data, size_t n, char hex[DIGEST_HEX]);

/*
 * The same beside other work: start hashes a large file in a process of its own, finish waits for it and does what was
 * not done. finish must follow, before fd is closed; it returns as digest_fd.
 */
struct digest_job {
	int fd;
	pid_t process; /* -1: none */
	struct digest_found *found;
};
void digest_start(int fd, struct digest_job *job);
int digest_finish(struct digest_job *job, char hex[DIGEST_HEX], uint64_t *bytes);

#endif
