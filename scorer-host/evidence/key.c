/* Key files: made, written once, read. The arithmetic and the signatures are signature.c's. */
#include "evidence/key.h"

#include <bearssl_ec.h>
#include <bearssl_rand.h>
#include <bearssl_x509.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "evidence/pem.h"
#include "sys/digest.h"
#include "sys/files.h"

static void identify(struct signing_key *key)
{
	uint8_t der[DER_PUBLIC];
	der_public(der, key->point);
	digest_bytes(der, sizeof der, key->id);
}

/* The public point of the secret; 0 when the secret is out of range. */
static int derive(struct signing_key *key)
{
	br_ec_private_key secret = {BR_EC_secp256r1, key->secret, sizeof key->secret};
	br_ec_public_key point;

	if (br_ec_compute_pub(br_ec_get_default(), &point, key->point, &secret) != sizeof key->point)
		return 0;
	identify(key);
	return 1;
}

static int write_key(
    const char *path, const char *name, const uint8_t *der, size_t n, mode_t mode, struct fault *fault)
{
	char pem[PEM_MAX];
	size_t length = pem_encode(pem, name, der, n);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	int r = fd < 0 ? -errno : length == 0 ? -ENOMEM : write_all(fd, pem, length);

	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	if (fd >= 0)
		(void)close(fd);
	if (r < 0 && fd >= 0)
		(void)unlink(path);
	explicit_bzero(pem, sizeof pem);
	if (r == 0)
		return 0;
	fault_set(fault, VERDICT_NONE, "cannot write the key %s: %s", path, strerror(-r));
	if (r == -EEXIST)
		fault_hint(fault, "a key is never overwritten: what it signed could not be checked any more");
	return -1;
}

int key_public_path(const char *path, char *out, size_t room)
{
	size_t n = strlen(path);

	if (n > 4 && (strcmp(path + n - 4, ".key") == 0 || strcmp(path + n - 4, ".pem") == 0))
		n -= 4;
	if (n + sizeof ".pub" > room)
		return -ENAMETOOLONG;
	memcpy(out, path, n);
	memcpy(out + n, ".pub", sizeof ".pub");
	return 0;
}

int key_generate(const char *path, const char *public_path, struct signing_key *key, struct fault *fault)
{
	br_hmac_drbg_context random;
	br_ec_private_key secret;
	uint8_t seed[32], der[256], public_der[DER_PUBLIC];
	char name[4096];
	size_t n;
	int r;

	memset(key, 0, sizeof *key);
	if (!public_path && key_public_path(path, name, sizeof name) < 0)
		return fault_set(fault, VERDICT_NONE, "the key's path is too long");
	if (getrandom(seed, sizeof seed, 0) != (ssize_t)sizeof seed)
		return fault_set(
		    fault, VERDICT_NONE, "the kernel gives no random bytes: %s", strerror(errno));
	br_hmac_drbg_init(&random, &br_sha256_vtable, seed, sizeof seed);
	explicit_bzero(seed, sizeof seed);
	n = br_ec_keygen(&random.vtable, br_ec_get_default(), &secret, key->secret, BR_EC_secp256r1);
	explicit_bzero(&random, sizeof random);
	if (n != sizeof key->secret || !derive(key))
		return fault_set(fault, VERDICT_NONE, "no key could be made");
	br_ec_public_key point = {BR_EC_secp256r1, key->point, sizeof key->point};
	n = br_encode_ec_pkcs8_der(NULL, &secret, &point);
	if (n > sizeof der)
		return fault_set(fault, VERDICT_NONE, "the key does not fit");
	n = br_encode_ec_pkcs8_der(der, &secret, &point);
	der_public(public_der, key->point);
	r = write_key(path, "PRIVATE KEY", der, n, 0600, fault);
	explicit_bzero(der, sizeof der);
	if (r < 0)
		return -1;
	r = write_key(
	    public_path ? public_path : name, "PUBLIC KEY", public_der, sizeof public_der, 0644, fault);
	if (r < 0) /* the private half was made a moment ago, by us, and nothing was signed with it */
		(void)unlink(path);
	return r;
}

static int read_file(const char *path, int private, char text[PEM_MAX], struct fault *fault)
{
	struct stat st;
	ssize_t n = -1;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0 || fstat(fd, &st) < 0) {
		fault_set(fault, VERDICT_NONE, "cannot read the key %s: %s", path, strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		fault_set(fault, VERDICT_NONE, "the key %s is no regular file", path);
	} else if (private && (st.st_mode & 077) != 0) {
		fault_set(
		    fault, VERDICT_NONE, "the key %s is open to others (mode %o)", path, st.st_mode & 0777);
		fault_hint(fault, "chmod 600 %s", path);
	} else if ((n = read(fd, text, PEM_MAX - 1)) < 0 || n == PEM_MAX - 1) {
		fault_set(fault, VERDICT_NONE, "cannot read the key %s: %s", path,
		    n < 0 ? strerror(errno) : "it is too long for a key");
		n = -1;
	}
	if (fd >= 0)
		(void)close(fd);
	if (n < 0)
		return -1;
	text[n] = '\0';
	return 0;
}

int key_load(const char *path, struct signing_key *key, struct fault *fault)
{
	char text[PEM_MAX];
	br_skey_decoder_context decoder;
	const br_ec_private_key *secret;
	uint8_t *der;
	size_t n = 0;
	int r = -1;

	memset(key, 0, sizeof *key);
	if (read_file(path, 1, text, fault) < 0)
		return -1;
	der = pem_decode(text, "PRIVATE KEY", &n);
	if (!der)
		der = pem_decode(text, "EC PRIVATE KEY", &n);
	explicit_bzero(text, sizeof text);
	br_skey_decoder_init(&decoder);
	br_skey_decoder_push(&decoder, der ? der : (const uint8_t *)"", n);
	secret =
	    br_skey_decoder_key_type(&decoder) == BR_KEYTYPE_EC ? br_skey_decoder_get_ec(&decoder) : NULL;
	if (secret && secret->curve == BR_EC_secp256r1 && secret->xlen > 0 &&
	    secret->xlen <= sizeof key->secret) {
		memcpy(key->secret + sizeof key->secret - secret->xlen, secret->x, secret->xlen);
		r = derive(key) ? 0 : -1;
	}
	explicit_bzero(&decoder, sizeof decoder);
	if (der)
		explicit_bzero(der, n);
	free(der);
	if (r < 0) {
		key_wipe(key);
		fault_set(fault, VERDICT_NONE, "%s holds no private key on P-256 in PEM", path);
		fault_hint(fault, "scorer-host keygen makes one");
	}
	return r;
}

int key_load_public(const char *path, struct signing_key *key, struct fault *fault)
{
	char text[PEM_MAX];
	uint8_t *der;
	size_t n = 0;
	int r;

	memset(key, 0, sizeof *key);
	if (read_file(path, 0, text, fault) < 0)
		return -1;
	der = pem_decode(text, "PUBLIC KEY", &n);
	r = der ? der_public_point(der, n, key->point) : -EINVAL;
	free(der);
	if (r < 0)
		return fault_set(fault, VERDICT_NONE, "%s holds no public key on P-256 in PEM", path);
	identify(key);
	return 0;
}

void key_wipe(struct signing_key *key)
{
	explicit_bzero(key, sizeof *key);
}
