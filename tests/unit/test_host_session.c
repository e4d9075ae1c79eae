/* The channel: a peer of our own in its own pid namespace speaks well, badly, or not at all. */
#include "host_peer.h"

static int folder = -1;
static struct stage stage;
static struct fault fault;
static struct recording recording;
static struct channel channel;
static int refuse_ticket, samples, stops;

/* ---- the host's side ---- */

static int ticket(void *context, const json_t *seen, struct ticket *t, struct fault *f)
{
	char hex[2 * CHAIN_KEY + 1];
	(void)context;
	assert_true(json_is_true(json_object_get(seen, "pid1")));
	if (refuse_ticket)
		return fault_set(f, VERDICT_REQUIRE_UNMET, "refused");
	ticket_option(t, OPTION_RUN, "r-1");
	key_format(key, hex);
	ticket_option(t, OPTION_KEY, hex);
	ticket_word(t, "--");
	ticket_word(t, "/bin/true");
	return 0;
}

static void sample(void *context, const struct sample *s)
{
	(void)context;
	(void)s;
	samples++;
}

static void stop(void *context)
{
	(void)context;
	stops++;
	(void)kill(channel.pid, SIGKILL);
}

static int make(const char *name)
{
	int fd = openat(folder, name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	return fd;
}

/* Starts the peer as process 1 of a pid namespace and serves it. */
static int serve(void (*peer)(void))
{
	unsigned long flags = CLONE_NEWPID | SIGCHLD | (geteuid() ? CLONE_NEWUSER : 0);
	struct stat st;
	int r;

	memset(&stage, 0, sizeof stage);
	memset(&fault, 0, sizeof fault);
	samples = stops = 0;
	recording_start(&recording, make("transcript"));
	channel.listener = channel_listen(folder, "s");
	assert_true(channel.listener >= 0);
	channel.pid = (pid_t)syscall(SYS_clone, flags, 0, 0, 0, 0);
	if (channel.pid == 0) {
		peer();
		_exit(99);
	}
	if (channel.pid < 0) {
		(void)close(channel.listener);
		(void)unlinkat(folder, "s", 0);
		skip();
	}
	assert_int_equal(stat("/proc/self/exe", &st), 0);
	channel.init_device = st.st_dev;
	channel.init_inode += st.st_ino;
	channel.folder = folder;
	channel.name = "s";
	channel.logs[0] = make("stdout");
	channel.logs[1] = make("stderr");
	channel.recording = &recording;
	channel.key = key;
	channel.ticket = ticket;
	channel.sample = sample;
	channel.stop = stop;
	r = channel_serve(&channel, &stage, &fault);
	(void)close(channel.logs[0]);
	(void)close(channel.logs[1]);
	/* Nobody else ever finds the door, and init was reaped. */
	assert_int_equal(faccessat(folder, "s", F_OK, 0), -1);
	assert_int_equal(waitpid(channel.pid, NULL, WNOHANG), -1);
	return r;
}

static int fresh(void **state)
{
	(void)state;
	memset(&channel, 0, sizeof channel);
	channel.signals = -1;
	channel.log_bytes = 1000;
	channel.deadline_ms = 60000;
	refuse_ticket = 0;
	return 0;
}

static int after(void **state)
{
	static const char *const names[] = {"stdout", "stderr", "transcript", "s"};
	(void)state;
	recording_abandon(&recording);
	if (recording.fd > 0)
		(void)close(recording.fd);
	recording.fd = 0;
	json_decref(stage.facts);
	json_decref(stage.record);
	memset(&stage, 0, sizeof stage);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		(void)unlinkat(folder, names[i], 0);
	return 0;
}

static void a_whole_session(void **state)
{
	static uint8_t bytes[1 << 16];
	static struct transcript t;
	char text[64], hex[2 * CHAIN_KEY + 1];
	ssize_t n;
	(void)state;

	assert_int_equal(serve(speaks_well), 0);
	assert_true(stage.observed.greeted && stage.observed.peer_verified && stage.observed.ticketed);
	assert_true(stage.observed.session_whole);
	assert_false(
	    stage.observed.session_broken || stage.observed.deadline_hit || stage.observed.cancelled);
	assert_int_equal(stage.observed.engine_status, 5);
	assert_int_equal(stops, 0);
	assert_int_equal(samples, 1);
	assert_int_equal(stage.frames, 8);
	assert_string_equal(json_string_value(json_object_get(stage.record, "run")), "r-1");
	assert_int_equal(file_read(folder, "stdout", text, sizeof text), 10);
	assert_string_equal(text, "hello tail");
	assert_int_equal(stage.log[0].bytes, 104);
	assert_int_equal(stage.log[0].kept, 10);
	assert_int_equal(stage.log[0].dropped, 94);
	assert_int_equal(stage.log[1].kept, 2);

	/* The key is not on the disk before the end, and the whole verifies afterwards. */
	n = file_read(folder, "transcript", (char *)bytes, sizeof bytes);
	assert_true(n > 0);
	key_format(key, hex);
	assert_null(memmem(bytes, (size_t)n, hex, 2 * CHAIN_KEY));
	assert_int_equal(recording_finish(&recording), 0);
	n = file_read(folder, "transcript", (char *)bytes, sizeof bytes);
	assert_non_null(memmem(bytes, (size_t)n, hex, 2 * CHAIN_KEY));
	transcript_start(&t);
	assert_int_equal(transcript_feed(&t, bytes, (size_t)n), 0);
	assert_int_equal(transcript_end(&t), 0);
}

static void another_executable_is_not_let_in(void **state)
{
	(void)state;
	channel.init_inode = 1; /* added to the right one */
	assert_int_equal(serve(speaks_well), 0);
	assert_false(stage.observed.greeted || stage.observed.peer_verified || stage.observed.ticketed);
	assert_int_equal(stops, 1);
	assert_null(stage.facts);
}

static void a_peer_that_dies_leaves_what_it_said(void **state)
{
	char text[64];
	(void)state;
	assert_int_equal(serve(dies_after_the_ticket), 0);
	assert_true(stage.observed.ticketed);
	assert_false(stage.observed.session_whole || stage.observed.session_broken);
	assert_null(stage.record);
	assert_int_equal(stage.observed.engine_status, 137);
	assert_int_equal(file_read(folder, "stdout", text, sizeof text), 6);
}

static void a_peer_that_never_comes(void **state)
{
	(void)state;
	assert_int_equal(serve(never_comes), 0);
	assert_false(stage.observed.greeted);
	assert_int_equal(stage.observed.engine_status, 125);
	assert_true(stage.observed.wall_ms == LIMIT_NONE);
}

static void the_hosts_own_deadline(void **state)
{
	(void)state;
	channel.deadline_ms = 50;
	assert_int_equal(serve(says_nothing_more), 0);
	assert_true(stage.observed.deadline_hit);
	assert_int_equal(stage.observed.engine_status, 137);
	assert_int_equal(stops, 1);
}

static void the_operator_interrupts(void **state)
{
	(void)state;
	channel.signals = eventfd(1, EFD_CLOEXEC);
	assert_int_equal(serve(says_nothing_more), 0);
	(void)close(channel.signals);
	assert_true(stage.observed.cancelled);
	assert_int_equal(stops, 1);
}

static void what_is_no_protocol_ends_it(void **state)
{
	(void)state;
	assert_int_equal(serve(babbles), 0);
	assert_true(stage.observed.session_broken);
	assert_false(stage.observed.session_whole);
	assert_int_equal(stops, 1);
}

static void logs_are_bounded_by_the_host_too(void **state)
{
	(void)state;
	assert_int_equal(serve(logs_beyond_its_budget), 0);
	assert_true(stage.observed.session_broken);
	assert_int_equal(stage.log[0].kept, 1000);
}

/* A transcript grows with time, not with how fast init can speak: of some thousand a second, a few are taken. */
static void samples_are_bounded_by_time(void **state)
{
	struct stat st;
	(void)state;
	assert_int_equal(serve(samples_without_end), 0);
	assert_true(stage.observed.session_broken && !stage.observed.session_whole);
	assert_int_equal(stops, 1);
	assert_true(samples >= 8);
	assert_true((uint64_t)samples <= 8 + 2 * (stage.observed.wall_ms / 1000));
	assert_int_equal(fstatat(folder, "transcript", &st, 0), 0);
	assert_true(st.st_size < 4096 + samples * (FRAME_OVERHEAD + SAMPLE_BYTES));
}

static void logs_never_go_back(void **state)
{
	(void)state;
	assert_int_equal(serve(logs_backwards), 0);
	assert_true(stage.observed.session_broken);
	assert_int_equal(stage.log[0].kept, 3);
}

static void a_refused_ticket_is_never_sent(void **state)
{
	(void)state;
	refuse_ticket = 1;
	assert_int_equal(serve(says_nothing_more), -1);
	assert_int_equal(fault.verdict, VERDICT_REQUIRE_UNMET);
	assert_true(stage.observed.greeted);
	assert_false(stage.observed.ticketed);
}

static void pid_one_of_a_namespace(void **state)
{
	(void)state;
	assert_true(peer_status_pid1("Name:\tinit\nNSpid:\t4711\t1\nVm:\t1\n"));
	assert_true(peer_status_pid1("Name:\tinit\nNSpid:\t4711\t20\t1\n"));
	assert_false(peer_status_pid1("Name:\tinit\nNSpid:\t1\n"));
	assert_false(peer_status_pid1("Name:\tinit\nNSpid:\t4711\t2\n"));
	assert_false(peer_status_pid1("Name:\tinit\nNSpid:\t4711\t1\t7\n"));
	assert_false(peer_status_pid1("Name:\tNSpid:\t9\t1\n"));
	assert_false(peer_status_pid1(""));
}

static int group_start(void **state)
{
	(void)state;
	(void)signal(SIGPIPE, SIG_IGN);
	if (!mkdtemp(top))
		return 1;
	folder = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return folder < 0;
}

static int group_end(void **state)
{
	(void)state;
	(void)close(folder);
	return rmdir(top);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, fresh, after)
	const struct CMUnitTest tests[] = {
	    T(a_whole_session),
	    T(another_executable_is_not_let_in),
	    T(a_peer_that_dies_leaves_what_it_said),
	    T(a_peer_that_never_comes),
	    T(the_hosts_own_deadline),
	    T(the_operator_interrupts),
	    T(what_is_no_protocol_ends_it),
	    T(logs_are_bounded_by_the_host_too),
	    T(samples_are_bounded_by_time),
	    T(logs_never_go_back),
	    T(a_refused_ticket_is_never_sent),
	    T(pid_one_of_a_namespace),
	};
	return cmocka_run_group_tests(tests, group_start, group_end);
}
