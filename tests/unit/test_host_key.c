/* Keys and signatures: openssl reads what we write and the other way round; one form of signature and no second. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "evidence/base64.h"
#include "evidence/dsse.h"
#include "evidence/key.h"
#include "host_run.h"

static char folder[] = "/tmp/proctor-key-XXXXXX";

static int setup(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	return remove_tree(folder);
}

static const char *in(const char *name)
{
	static char path[4][128];
	static unsigned next;
	char *p = path[next++ % 4];
	(void)snprintf(p, sizeof path[0], "%s/%s", folder, name);
	return p;
}

static void generate(void **state)
{
	struct signing_key made, loaded, public;
	struct fault fault;
	struct stat st;

	(void)state;
	assert_int_equal(key_generate(in("operator.key"), NULL, &made, &fault), 0);
	assert_int_equal(stat(in("operator.key"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(key_load(in("operator.key"), &loaded, &fault), 0);
	assert_memory_equal(&made, &loaded, sizeof made);
	assert_int_equal(key_load_public(in("operator.pub"), &public, &fault), 0);
	assert_memory_equal(made.point, public.point, sizeof made.point);
	assert_string_equal(made.id, public.id);
	assert_int_equal(key_generate(in("operator.key"), NULL, &made, &fault), -1);
	assert_non_null(strstr(fault.what, "operator.key"));
	assert_int_equal(key_generate(in("other"), in("operator.pub"), &made, &fault), -1);
	assert_int_equal(access(in("other"), F_OK), -1);
	key_wipe(&loaded);
	for (size_t i = 0; i < sizeof loaded; i++)
		assert_int_equal(((const char *)&loaded)[i], 0);
}

static void openssl_reads_ours(void **state)
{
	(void)state;
	assert_int_equal(program("openssl", "pkey", "-in", in("operator.key"), "-check", "-noout", NULL), 0);
	assert_int_equal(
	    program("openssl", "pkey", "-in", in("operator.key"), "-pubout", "-out", in("again.pub"), NULL),
	    0);
	assert_int_equal(program("cmp", in("again.pub"), in("operator.pub"), NULL), 0);
}

static void we_read_openssls(void **state)
{
	struct signing_key key, public;
	struct fault fault;

	(void)state;
	assert_int_equal(program("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
			     "ec_paramgen_curve:P-256", "-out", in("pkcs8"), NULL),
	    0);
	assert_int_equal(program("openssl", "ec", "-in", in("pkcs8"), "-out", in("sec1"), NULL), 0);
	assert_int_equal(
	    program("openssl", "pkey", "-in", in("pkcs8"), "-pubout", "-out", in("pub"), NULL), 0);
	assert_int_equal(program("chmod", "600", in("pkcs8"), in("sec1"), NULL), 0);
	assert_int_equal(key_load_public(in("pub"), &public, &fault), 0);
	assert_int_equal(key_load(in("pkcs8"), &key, &fault), 0);
	assert_string_equal(key.id, public.id);
	assert_int_equal(key_load(in("sec1"), &key, &fault), 0);
	assert_string_equal(key.id, public.id);
	assert_int_equal(chmod(in("pkcs8"), 0640), 0);
	assert_int_equal(key_load(in("pkcs8"), &key, &fault), -1);
	assert_non_null(strstr(fault.hint, "chmod 600"));
}

static void not_a_key(void **state)
{
	struct signing_key key;
	struct fault fault;

	(void)state;
	assert_int_equal(key_load(in("absent"), &key, &fault), -1);
	assert_int_equal(fault.verdict, VERDICT_NONE);
	assert_int_equal(key_load("/dev/null", &key, &fault), -1);
	assert_int_equal(key_load_public(folder, &key, &fault), -1);
	assert_int_equal(key_load_public(in("operator.key"), &key, &fault), -1);
	assert_int_equal(program("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
			     "ec_paramgen_curve:P-384", "-out", in("p384"), NULL),
	    0);
	assert_int_equal(
	    program("openssl", "pkey", "-in", in("p384"), "-pubout", "-out", in("p384.pub"), NULL), 0);
	assert_int_equal(chmod(in("p384"), 0600), 0);
	assert_int_equal(key_load(in("p384"), &key, &fault), -1);
	assert_int_equal(key_load_public(in("p384.pub"), &key, &fault), -1);
}

static void sign_and_verify(void **state)
{
	struct signing_key key;
	struct fault fault;
	uint8_t signature[SIGNATURE_MAX], again[SIGNATURE_MAX], changed[SIGNATURE_MAX];
	char message[32];

	(void)state;
	assert_int_equal(key_load(in("operator.key"), &key, &fault), 0);
	for (int i = 0; i < 64; i++) {
		size_t n = (size_t)snprintf(message, sizeof message, "message %d", i);
		size_t length = key_sign(&key, message, n, signature);
		assert_true(length > 60 && length <= 72);
		assert_int_equal(key_sign(&key, message, n, again), length);
		assert_memory_equal(signature, again, length);
		assert_int_equal(key_verify(&key, message, n, signature, length), 1);
		assert_int_equal(key_verify(&key, message, n - 1, signature, length), 0);
		assert_int_equal(key_verify(&key, message, n, signature, length - 1), 0);
		memcpy(changed, signature, length);
		changed[length] = 0;
		assert_int_equal(key_verify(&key, message, n, changed, length + 1), 0);
	}
	size_t length = key_sign(&key, "x", 1, signature);
	for (size_t i = 0; i < length; i++)
		for (int bit = 0; bit < 8; bit++) {
			memcpy(changed, signature, length);
			changed[i] ^= (uint8_t)(1 << bit);
			assert_int_equal(key_verify(&key, "x", 1, changed, length), 0);
		}
	/* Two numbers of very unequal length: what a hostile signature may hold. */
	memset(changed, 1, sizeof changed);
	memcpy(changed, "\x30\x46\x02\x41", 4);
	memcpy(changed + 4 + 0x41, "\x02\x01\x01", 3);
	assert_int_equal(key_verify(&key, "x", 1, changed, 72), 0);
	assert_int_equal(key_verify(&key, "x", 1, changed, 0), 0);
	key_wipe(&key);
}

/* n - s in the place of s is as good to openssl, and refused here. */
static void no_second_form(void **state)
{
	static const uint8_t order[32] = {0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff,
	    0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca,
	    0xc2, 0xfc, 0x63, 0x25, 0x51};
	struct signing_key key;
	struct fault fault;
	uint8_t der[SIGNATURE_MAX], twin[SIGNATURE_MAX];
	size_t n, r_size, s_size, size;
	int borrow = 0;

	(void)state;
	assert_int_equal(key_load(in("operator.key"), &key, &fault), 0);
	n = key_sign(&key, "message", 7, der);
	r_size = der[3];
	s_size = der[5 + r_size];
	assert_true(s_size == 32 && n == 6 + r_size + s_size);
	memcpy(twin, der, 6 + r_size);
	for (int i = 31; i >= 0; i--) {
		int d = order[i] - der[6 + r_size + (size_t)i] - borrow;
		borrow = d < 0;
		twin[7 + r_size + (size_t)i] = (uint8_t)d;
	}
	twin[6 + r_size] = 0; /* its first bit is set, so DER wants a zero in front */
	twin[5 + r_size] = 33;
	twin[1] = (uint8_t)(der[1] + 1);
	size = n + 1;
	write_bytes(in("message"), "message", 7);
	write_bytes(in("twin"), twin, size);
	assert_int_equal(program("openssl", "dgst", "-sha256", "-verify", in("operator.pub"), "-signature",
			     in("twin"), in("message"), NULL),
	    0);
	assert_int_equal(key_verify(&key, "message", 7, twin, size), 0);
	assert_int_equal(key_verify(&key, "message", 7, der, n), 1);
	key_wipe(&key);
}

static void envelope(void **state)
{
	static const char payload[] = "{\n  \"a\": 1\n}\n";
	struct signing_key key;
	struct fault fault;
	struct dsse d;
	size_t n, length;
	char *pae, *bytes;

	(void)state;
	assert_int_equal(key_load(in("operator.key"), &key, &fault), 0);
	pae = dsse_pae("ab", 2, &n);
	assert_string_equal(pae, "DSSEv1 28 application/vnd.in-toto+json 2 ab");
	assert_int_equal(n, strlen(pae));
	free(pae);
	bytes = dsse_seal(&key, payload, sizeof payload - 1, &length);
	assert_non_null(bytes);
	assert_int_equal(dsse_open(bytes, length, &d), 0);
	assert_int_equal(d.payload_length, sizeof payload - 1);
	assert_memory_equal(d.payload, payload, sizeof payload - 1);
	assert_true(dsse_signs(&d, &key, payload, sizeof payload - 1));
	assert_false(dsse_signs(&d, &key, payload, sizeof payload - 2));
	pae = dsse_pae(payload, sizeof payload - 1, &n);
	write_bytes(in("pae"), pae, n);
	write_bytes(in("sig"), d.signature, d.signature_length);
	assert_int_equal(program("openssl", "dgst", "-sha256", "-verify", in("operator.pub"), "-signature",
			     in("sig"), in("pae"), NULL),
	    0);
	free(pae);
	free(d.payload);
	/* Every byte of the envelope: another value is no envelope, or none of this key. */
	for (size_t i = 0; i < length; i++)
		for (int x = 1; x < 256; x <<= 1) {
			bytes[i] ^= (char)x;
			if (dsse_open(bytes, length, &d) == 0) {
				assert_false(dsse_signs(&d, &key, d.payload, d.payload_length));
				free(d.payload);
			}
			bytes[i] ^= (char)x;
		}
	free(bytes);
	key_wipe(&key);
}

/* The same members in another order, or with other blanks, is another file. */
static void one_encoding(void **state)
{
	static const char *const others[] = {
	    "{\n  \"payloadType\": \"" DSSE_TYPE "\",\n  \"payload\": \"YQ==\",\n  \"signatures\": [\n    {\n"
	    "      \"keyid\": \"k\",\n      \"sig\": \"YQ==\"\n    }\n  ]\n}\n",
	    "{\"payload\":\"YQ==\",\"payloadType\":\"" DSSE_TYPE
	    "\",\"signatures\":[{\"keyid\":\"k\",\"sig\":\"YQ==\"}]}",
	    "{\n  \"payload\": \"YQ==\",\n  \"payloadType\": \"" DSSE_TYPE "\",\n  \"signatures\": [\n    {\n"
	    "      \"keyid\": \"k\",\n      \"sig\": \"YQ==\"\n    }\n  ]\n}",
	    "{\n  \"payload\": \"YR==\",\n  \"payloadType\": \"" DSSE_TYPE "\",\n  \"signatures\": [\n    {\n"
	    "      \"keyid\": \"k\",\n      \"sig\": \"YQ==\"\n    }\n  ]\n}\n"};
	static const char right[] =
	    "{\n  \"payload\": \"YQ==\",\n  \"payloadType\": \"" DSSE_TYPE
	    "\",\n  \"signatures\": [\n    {\n      \"keyid\": \"k\",\n      \"sig\": \"YQ==\"\n    "
	    "}\n  ]\n}\n";
	struct dsse d;

	(void)state;
	assert_int_equal(dsse_open(right, sizeof right - 1, &d), 0);
	free(d.payload);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_true(dsse_open(others[i], strlen(others[i]), &d) < 0);
}

static void base64(void **state)
{
	static const char *const rows[][2] = {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"},
	    {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}};
	static const char *const bad[] = {
	    "Z", "Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zg==Zg==", "Zm9v\n", " Zm9v", "Zm-v", "Zg=a"};
	uint8_t bytes[256];
	size_t n;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = base64_encode((const uint8_t *)rows[i][0], strlen(rows[i][0]));
		uint8_t *back = base64_decode(rows[i][1], &n);
		assert_string_equal(text, rows[i][1]);
		assert_non_null(back);
		assert_int_equal(n, strlen(rows[i][0]));
		assert_memory_equal(back, rows[i][0], n);
		free(text);
		free(back);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_null(base64_decode(bad[i], &n));
	for (int i = 0; i < 256; i++)
		bytes[i] = (uint8_t)i;
	char *text = base64_encode(bytes, sizeof bytes);
	uint8_t *back = base64_decode(text, &n);
	assert_int_equal(n, sizeof bytes);
	assert_memory_equal(back, bytes, n);
	free(text);
	free(back);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(generate),
	    cmocka_unit_test(openssl_reads_ours),
	    cmocka_unit_test(we_read_openssls),
	    cmocka_unit_test(not_a_key),
	    cmocka_unit_test(sign_and_verify),
	    cmocka_unit_test(no_second_form),
	    cmocka_unit_test(envelope),
	    cmocka_unit_test(one_encoding),
	    cmocka_unit_test(base64),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
