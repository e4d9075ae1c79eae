/* Requirements: each is unmet until exactly its own condition holds, and what was not seen is not met. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/options.h"
#include "core/require.h"
#include "wire/profile.h"

static struct plan only(enum requirement r)
{
	struct plan p;
	plan_start(&p);
	p.require = UINT32_C(1) << r;
	return p;
}

static const struct facts good = {.pid1 = true, .pid_namespace = true, .interfaces = 1, .interface = {"lo"}};
static const struct sight all = {true, true, true, true, true, true, true, true, true, false, false, true},
			  blind;

static void nothing_required(void **state)
{
	struct plan p;
	const struct sealed none = {0};
	(void)state;
	plan_start(&p);
	assert_int_equal(require_world(&p, NULL, &blind), REQUIRE_END);
	assert_int_equal(require_seal(&p, &none), REQUIRE_END);
}

static void the_world(void **state)
{
	static const enum requirement by_world[] = {REQUIRE_SEPARATE_UID, REQUIRE_PID_NAMESPACE,
	    REQUIRE_NO_NETWORK, REQUIRE_READ_ONLY_ROOT, REQUIRE_EXACT_OUTPUT, REQUIRE_EXACT_MEMORY,
	    REQUIRE_EXACT_CPU};
	(void)state;
	for (size_t i = 0; i < sizeof by_world / sizeof *by_world; i++) {
		struct plan p = only(by_world[i]);
		p.number[OPTION_UID] = 1000;
		assert_int_equal(require_world(&p, &good, &all), REQUIRE_END);
		/* Unseen is unmet. */
		assert_int_equal(require_world(&p, NULL, &blind), by_world[i]);
	}
}

static void own_uid_is_not_separate(void **state)
{
	struct plan p = only(REQUIRE_SEPARATE_UID);
	struct facts same = good;
	(void)state;
	assert_int_equal(require_world(&p, &good, &all), REQUIRE_SEPARATE_UID);
	p.number[OPTION_UID] = same.uid = 1000;
	assert_int_equal(require_world(&p, &same, &all), REQUIRE_SEPARATE_UID);
}

static void a_network_in_any_shape(void **state)
{
	struct plan p = only(REQUIRE_NO_NETWORK), loopback;
	struct facts f = good;
	(void)state;
	f.routes = 1;
	assert_int_equal(require_world(&p, &f, &all), REQUIRE_NO_NETWORK);
	f = good;
	strcpy(f.interface[f.interfaces++], "eth0");
	assert_int_equal(require_world(&p, &f, &all), REQUIRE_NO_NETWORK);
	/* Internet sockets over loopback are given only where loopback is all there is. */
	plan_start(&loopback);
	loopback.network = NETWORK_LOOPBACK;
	assert_int_equal(require_world(&loopback, &f, &all), REQUIRE_NO_NETWORK);
	assert_int_equal(require_world(&loopback, &good, &all), REQUIRE_END);
	f = good;
	f.incomplete = true;
	assert_int_equal(require_world(&p, &f, &all), REQUIRE_NO_NETWORK);
}

static void the_seal(void **state)
{
	static const struct {
		enum requirement r;
		size_t at;
	} rows[] = {{REQUIRE_SEPARATE_UID, offsetof(struct sealed, uid)},
	    {REQUIRE_NO_CAPS, offsetof(struct sealed, capabilities)},
	    {REQUIRE_NO_NEW_PRIVS, offsetof(struct sealed, no_new_privs)},
	    {REQUIRE_LANDLOCK, offsetof(struct sealed, landlock)},
	    {REQUIRE_SECCOMP, offsetof(struct sealed, seccomp)}};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int s = STATE_OFF; s <= STATE_ENFORCED; s++) {
			struct plan p = only(rows[i].r);
			struct sealed sealed;
			memset(&sealed, STATE_ENFORCED, sizeof sealed);
			((uint8_t *)&sealed)[rows[i].at] = (uint8_t)s;
			assert_int_equal(
			    require_seal(&p, &sealed), s == STATE_ENFORCED ? REQUIRE_END : rows[i].r);
		}
}

static void no_profile_is_no_filter(void **state)
{
	struct plan p = only(REQUIRE_SECCOMP);
	struct sealed sealed;
	(void)state;
	memset(&sealed, STATE_ENFORCED, sizeof sealed);
	p.profile = POLICY_NONE;
	assert_int_equal(require_seal(&p, &sealed), REQUIRE_SECCOMP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_required),
	    cmocka_unit_test(the_world),
	    cmocka_unit_test(own_uid_is_not_separate),
	    cmocka_unit_test(a_network_in_any_shape),
	    cmocka_unit_test(the_seal),
	    cmocka_unit_test(no_profile_is_no_filter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
