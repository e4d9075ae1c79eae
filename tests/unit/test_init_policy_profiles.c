/*
 * The profiles as tables written by hand, whatever the syscall table becomes: call, arguments, and the answer of each
 * profile, by simulation for both architectures and in the kernel of this machine. There the arguments are such that
 * the kernel's own complaint (EFAULT, EBADF, EINVAL) tells a call that got through from one that the filter answered.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "policy/assemble.h"
#include "policy/blob.h"
#include "policy/numbers.h"
#include "policy/simulate.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

enum { SKIP = 77, BAD = 99, ROWS = 96, OK = 0, P = EPERM, N = ENOSYS, S = EOPNOTSUPP };

/* What a profile answers: OK (on to the kernel), P, N or S. In `kernel`: its errno then, or ANY. */
enum { ANY = -1 };

static const struct row {
	const char *call;
	uint32_t argument[3];
	int kernel;
	int strict, ml, multi, gpu;
} rows[] = {
    /* what no profile can do without */
    {"read", {UINT32_MAX}, EBADF, OK, OK, OK, OK},
    {"write", {UINT32_MAX}, EBADF, OK, OK, OK, OK},
    {"close", {UINT32_MAX}, EBADF, OK, OK, OK, OK},
    {"sendmsg", {UINT32_MAX}, EBADF, OK, OK, OK, OK},
    {"execve", {1}, EFAULT, OK, OK, OK, OK},
    {"openat", {UINT32_MAX, 1}, EFAULT, OK, OK, OK, OK},
    {"mmap", {0}, EINVAL, OK, OK, OK, OK},
    {"futex", {1, 0}, EINVAL, OK, OK, OK, OK},
    {"clone", {0xffff0000 & ~0x7e020000u}, ANY, OK, OK, OK, OK},
    {"sched_setaffinity", {0, 8, 1}, EFAULT, OK, OK, OK, OK},
    {"memfd_create", {1}, EFAULT, OK, OK, OK, OK},
    {"getrandom", {1, 1, 255}, EINVAL, OK, OK, OK, OK},
    {"membarrier", {99}, EINVAL, OK, OK, OK, OK},
    {"pidfd_open", {UINT32_MAX}, EINVAL, OK, OK, OK, OK},
    {"fallocate", {UINT32_MAX}, EBADF, OK, OK, OK, OK},
    {"copy_file_range", {UINT32_MAX}, EBADF, OK, OK, OK, OK},
    /* what runtimes do at their start */
    {"socketpair", {AF_UNIX, SOCK_STREAM}, EFAULT, OK, OK, OK, OK},
    {"getpeername", {UINT32_MAX}, EBADF, OK, OK, OK, OK},
    /* beyond computing alone */
    {"socket", {AF_UNIX, 99}, EINVAL, N, OK, OK, OK},
    {"connect", {UINT32_MAX}, EBADF, P, OK, OK, OK},
    {"bind", {UINT32_MAX}, EBADF, P, OK, OK, OK},
    {"listen", {UINT32_MAX}, EBADF, P, OK, OK, OK},
    {"sendto", {UINT32_MAX}, EBADF, P, OK, OK, OK},
    {"recvmsg", {UINT32_MAX}, EBADF, P, OK, OK, OK},
    {"shmget", {0, 0}, EINVAL, P, OK, OK, OK},
    {"semget", {0, UINT32_MAX}, EINVAL, P, OK, OK, OK},
    {"msgctl", {0, 99}, EINVAL, P, OK, OK, OK},
    {"mq_unlink", {1}, EFAULT, P, OK, OK, OK},
    {"mbind", {1}, EINVAL, N, OK, OK, OK},
    {"inotify_init1", {99}, EINVAL, N, OK, OK, OK},
    {"io_setup", {1, 1}, EFAULT, N, OK, OK, OK},
    {"splice", {UINT32_MAX, 0, UINT32_MAX}, ANY, N, OK, OK, OK},
    {"setxattr", {1, 1}, EFAULT, S, OK, OK, OK},
    {"seccomp", {99}, EINVAL, P, OK, OK, OK},
    {"prctl", {PR_SET_SECCOMP, 99}, EINVAL, P, OK, OK, OK},
    {"prctl", {PR_SET_NAME, 1}, EFAULT, OK, OK, OK, OK},
    {"unshare", {0x400}, OK, P, OK, OK, OK},
    /* several ranks */
    {"process_vm_readv", {0, 0, 0}, ANY, P, P, OK, OK},
    {"process_vm_writev", {0, 0, 0}, ANY, P, P, OK, OK},
    {"move_pages", {0, 1, 1}, ANY, P, P, OK, OK},
    /* GPU drivers */
    {"kcmp", {UINT32_MAX, UINT32_MAX}, ANY, P, P, P, OK},
    {"pidfd_getfd", {UINT32_MAX}, EBADF, P, P, P, OK},
    /* nobody, as a denial */
    {"ptrace", {2, UINT32_MAX}, ANY, P, P, P, P},
    {"bpf", {UINT32_MAX}, ANY, P, P, P, P},
    {"perf_event_open", {1}, ANY, P, P, P, P},
    {"userfaultfd", {UINT32_MAX}, ANY, P, P, P, P},
    {"keyctl", {UINT32_MAX}, ANY, P, P, P, P},
    {"add_key", {1}, ANY, P, P, P, P},
    {"mount", {0, 1}, EFAULT, P, P, P, P},
    {"umount2", {1}, ANY, P, P, P, P},
    {"pivot_root", {1, 1}, ANY, P, P, P, P},
    {"chroot", {1}, EFAULT, P, P, P, P},
    {"setns", {UINT32_MAX}, EBADF, P, P, P, P},
    {"unshare", {0x10000000}, ANY, P, P, P, P},
    {"clone", {0x20000000}, ANY, P, P, P, P},
    {"open_by_handle_at", {UINT32_MAX, 1}, ANY, P, P, P, P},
    {"fanotify_init", {UINT32_MAX}, ANY, P, P, P, P},
    {"init_module", {1, 1, 1}, ANY, P, P, P, P},
    {"kexec_load", {0, UINT32_MAX}, ANY, P, P, P, P},
    {"reboot", {0, 0}, ANY, P, P, P, P},
    {"swapon", {1}, ANY, P, P, P, P},
    {"settimeofday", {1}, EFAULT, P, P, P, P},
    {"clock_settime", {99, 1}, ANY, P, P, P, P},
    {"syslog", {99}, ANY, P, P, P, P},
    {"sethostname", {1, UINT32_MAX}, ANY, P, P, P, P},
    {"socket", {AF_INET, 99}, ANY, P, P, P, P},
    {"socket", {AF_PACKET, 99}, ANY, P, P, P, P},
    {"socket", {40 /* AF_VSOCK */, 99}, ANY, P, P, P, P},
    {"socketpair", {AF_INET, SOCK_STREAM}, ANY, P, P, P, P},
    /* nobody, as a kernel without it */
    {"clone3", {0, 0}, EINVAL, N, N, N, N},
    {"io_uring_setup", {0, 0}, ANY, N, N, N, N},
    {"io_uring_enter", {UINT32_MAX}, ANY, N, N, N, N},
    {"io_uring_register", {UINT32_MAX}, ANY, N, N, N, N},
    {"memfd_secret", {UINT32_MAX}, ANY, N, N, N, N},
    {"vmsplice", {UINT32_MAX}, EBADF, N, N, N, N},
    {"process_madvise", {UINT32_MAX}, ANY, N, N, N, N},
    {"name_to_handle_at", {UINT32_MAX, 1}, EFAULT, S, S, S, S},
};

static const struct policy_arch *const arches[] = {&policy_arch_x86_64, &policy_arch_aarch64};
static struct sock_filter program[POLICY_PROGRAM_MAX];
static int *results; /* shared with the children */

static int wanted(const struct row *r, unsigned profile)
{
	const int answers[] = {[POLICY_STRICT] = r->strict,
	    [POLICY_ML] = r->ml,
	    [POLICY_ML_MULTI] = r->multi,
	    [POLICY_GPU] = r->gpu};

	return answers[profile];
}

static void each_profile_answers_as_written_by_hand(void **state)
{
	const struct policy_switches s = {0};

	(void)state;
	for (unsigned a = 0; a < COUNT(arches); a++)
		for (unsigned profile = 0; profile < POLICY_TREES; profile++) {
			int n = policy_assemble_for(arches[a], program, POLICY_PROGRAM_MAX, profile, &s);

			assert_true(n > 0 && policy_program_valid(program, (size_t)n));
			for (size_t i = 0; i < COUNT(rows); i++) {
				struct seccomp_data data = {.arch = arches[a]->audit,
				    .nr = policy_number_on(arches[a], rows[i].call, strlen(rows[i].call))};
				int want = wanted(&rows[i], profile);

				assert_true(data.nr >= 0);
				for (size_t k = 0; k < COUNT(rows[i].argument); k++)
					data.args[k] = rows[i].argument[k];
				if (policy_simulate(program, &data) !=
				    (want == OK ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | (uint32_t)want))
					fail_msg("%s, %s: row %zu, %s", arches[a]->name,
					    policy_profile_name(profile), i, rows[i].call);
			}
		}
}

/* ---- in the kernel ---- */

static void load_or_skip(unsigned profile)
{
	const struct policy_switches s = {0};
	int n = policy_assemble(program, POLICY_PROGRAM_MAX, profile, &s);
	struct sock_fprog prog = {(unsigned short)n, program};

	if (n <= 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		_exit(BAD);
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog) < 0)
		_exit(errno == EINVAL || errno == ENOSYS ? SKIP : BAD);
}

/* A call whose outcome without a filter depends on the machine is made only where the filter answers it. */
static int ask(const struct row *r)
{
	const uint32_t *a = r->argument;
	long result = syscall(policy_number(r->call, strlen(r->call)), (long)(int)a[0], (long)(int)a[1],
	    (long)(int)a[2], 0L, 0L, 0L);

	return result < 0 ? errno : OK;
}

static void run_in_child(int profile)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0) {
		if (profile < POLICY_TREES)
			load_or_skip((unsigned)profile);
		for (size_t i = 0; i < COUNT(rows); i++)
			if (rows[i].kernel != ANY ||
			    (profile < POLICY_TREES && wanted(&rows[i], (unsigned)profile) != OK))
				results[i] = ask(&rows[i]);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == SKIP)
		skip();
	assert_int_equal(status, 0);
}

static void the_kernel_tells_filter_from_itself(void **state)
{
	(void)state;
	for (int profile = 0; profile <= POLICY_NONE; profile++) {
		run_in_child(profile);
		for (size_t i = 0; i < COUNT(rows); i++) {
			int want = profile < POLICY_TREES ? wanted(&rows[i], (unsigned)profile) : OK;

			if (want == OK)
				want = rows[i].kernel;
			if (want != ANY && results[i] != want)
				fail_msg("%s: row %zu, %s: %s, not %s",
				    policy_profile_name((enum policy_profile)profile), i, rows[i].call,
				    strerror(results[i]), strerror(want));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_profile_answers_as_written_by_hand),
	    cmocka_unit_test(the_kernel_tells_filter_from_itself),
	};

	_Static_assert(sizeof rows / sizeof rows[0] <= ROWS, "a result for each row");
	results =
	    mmap(NULL, ROWS * sizeof *results, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (results == MAP_FAILED)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
