/* SHA-256 of files and memory. Never trusts a size: a file is read until it says that it ends. */
#include "sys/digest.h"

#include <errno.h>
#include <openssl/evp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/memfd.h"

enum { CHUNK = 1 << 16, RAW = 32, WORTH_A_PROCESS = 16 << 20 };

static void to_hex(const unsigned char raw[RAW], char hex[DIGEST_HEX])
{
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i < RAW; i++) {
		hex[2 * i] = digits[raw[i] >> 4];
		hex[2 * i + 1] = digits[raw[i] & 15];
	}
	hex[2 * RAW] = '\0';
}

static int hash_file(EVP_MD_CTX *context, int fd, uint64_t *bytes)
{
	unsigned char chunk[CHUNK];
	*bytes = 0;
	for (;;) {
		ssize_t n = pread(fd, chunk, sizeof chunk, (off_t)*bytes);
		if (n == 0)
			return 0;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (EVP_DigestUpdate(context, chunk, (size_t)n) != 1)
			return -EIO;
		*bytes += (uint64_t)n;
	}
}

int digest_fd(int fd, char hex[DIGEST_HEX], uint64_t *bytes)
{
	unsigned char raw[RAW];
	uint64_t n = 0;
	int r = -ENOMEM;
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	if (context && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1)
		r = hash_file(context, fd, &n);
	if (r == 0 && EVP_DigestFinal_ex(context, raw, NULL) != 1)
		r = -EIO;
	EVP_MD_CTX_free(context);
	if (r < 0)
		return r;
	to_hex(raw, hex);
	if (bytes)
		*bytes = n;
	return 0;
}

void digest_bytes(const void *data, size_t n, char hex[DIGEST_HEX])
{
	unsigned char raw[RAW];
	if (EVP_Digest(data, n, raw, NULL, EVP_sha256(), NULL) != 1)
		abort();
	to_hex(raw, hex);
}

struct digest_found {
	char hex[DIGEST_HEX];
	uint64_t bytes;
	int result;
};

void digest_start(int fd, struct digest_job *job)
{
	struct stat st;
	*job = (struct digest_job){.fd = fd, .process = -1};
	if (fstat(fd, &st) < 0 || st.st_size < WORTH_A_PROCESS)
		return;
	job->found = memory_shared(sizeof *job->found);
	if (!job->found)
		return;
	pid_t parent = getpid();
	job->process = fork();
	if (job->process != 0)
		return;
	/* It dies with its parent, also with one that is gone already. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent)
		job->found->result = digest_fd(fd, job->found->hex, &job->found->bytes);
	_exit(0);
}

int digest_finish(struct digest_job *job, char hex[DIGEST_HEX], uint64_t *bytes)
{
	int status = -1, r = -1;
	while (job->process > 0 && waitpid(job->process, &status, 0) < 0 && errno == EINTR)
		;
	if (status == 0 && job->found->result == 0 && job->found->hex[0]) {
		memcpy(hex, job->found->hex, DIGEST_HEX);
		*bytes = job->found->bytes;
		r = 0;
	}
	if (job->found)
		(void)munmap(job->found, sizeof *job->found);
	return r == 0 ? 0 : digest_fd(job->fd, hex, bytes);
}
