/* DSSE envelopes. */
#include "evidence/dsse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/base64.h"
#include "evidence/canonical.h"

char *dsse_pae(const char *payload, size_t n, size_t *length)
{
	char head[96];
	int head_length =
	    snprintf(head, sizeof head, "DSSEv1 %zu %s %zu ", sizeof DSSE_TYPE - 1, DSSE_TYPE, n);
	char *pae = malloc((size_t)head_length + n + 1);

	if (!pae)
		return NULL;
	memcpy(pae, head, (size_t)head_length);
	memcpy(pae + head_length, payload, n);
	*length = (size_t)head_length + n;
	pae[*length] = '\0';
	return pae;
}

static json_t *envelope(const char *payload, const char *signature, const char *keyid)
{
	json_t *root = json_object(), *signatures = json_array(), *one = json_object();
	int failed = 0;

	canonical_put(one, "keyid", json_string(keyid), &failed);
	canonical_put(one, "sig", json_string(signature), &failed);
	canonical_put(root, "payload", json_string(payload), &failed);
	canonical_put(root, "payloadType", json_string(DSSE_TYPE), &failed);
	if (json_array_append_new(signatures, one) < 0)
		failed = 1;
	canonical_put(root, "signatures", signatures, &failed);
	if (failed) {
		json_decref(root);
		return NULL;
	}
	return root;
}

char *dsse_seal(const struct signing_key *key, const char *payload, size_t n, size_t *length)
{
	uint8_t signature[SIGNATURE_MAX];
	size_t pae_length, size;
	char *pae = dsse_pae(payload, n, &pae_length), *bytes = NULL;

	if (!pae)
		return NULL;
	size = key_sign(key, pae, pae_length, signature);
	free(pae);
	if (size > 0) {
		char *text = base64_encode((const uint8_t *)payload, n),
		     *sig = base64_encode(signature, size);
		json_t *root = text && sig ? envelope(text, sig, key->id) : NULL;
		bytes = canonical_encode(root, length);
		json_decref(root);
		free(text);
		free(sig);
	}
	return bytes;
}

/* Accepts exactly what dsse_seal() writes: the parts are taken out, put together again and compared byte for byte. */
static int take(const json_t *root, const char *bytes, size_t n, struct dsse *d)
{
	const json_t *one = json_array_get(json_object_get(root, "signatures"), 0);
	const char *payload = json_string_value(json_object_get(root, "payload"));
	const char *keyid = json_string_value(json_object_get(one, "keyid"));
	const char *sig = json_string_value(json_object_get(one, "sig"));
	uint8_t *signature;
	json_t *again;
	char *encoded;
	size_t length;
	int r = 0;

	if (!payload || !keyid || !sig || strlen(keyid) >= sizeof d->keyid)
		return -EBADMSG;
	again = envelope(payload, sig, keyid);
	encoded = canonical_encode(again, &length);
	if (!encoded || length != n || memcmp(encoded, bytes, n) != 0)
		r = -EBADMSG;
	free(encoded);
	json_decref(again);
	strcpy(d->keyid, keyid);
	signature = base64_decode(sig, &d->signature_length);
	if (signature && d->signature_length <= sizeof d->signature)
		memcpy(d->signature, signature, d->signature_length);
	else
		r = -EBADMSG;
	free(signature);
	d->payload = (char *)base64_decode(payload, &d->payload_length);
	return d->payload ? r : -EBADMSG;
}

int dsse_open(const char *bytes, size_t n, struct dsse *d)
{
	json_t *root = json_loadb(bytes, n, JSON_REJECT_DUPLICATES, NULL);
	int r;

	memset(d, 0, sizeof *d);
	if (!root)
		return -EBADMSG;
	r = take(root, bytes, n, d);
	json_decref(root);
	if (r < 0) {
		free(d->payload);
		d->payload = NULL;
	}
	return r;
}

bool dsse_signs(const struct dsse *d, const struct signing_key *key, const char *payload, size_t n)
{
	size_t length;
	char *pae = dsse_pae(payload, n, &length);
	bool good = pae && strcmp(d->keyid, key->id) == 0 &&
		    key_verify(key, pae, length, d->signature, d->signature_length);

	free(pae);
	return good;
}
