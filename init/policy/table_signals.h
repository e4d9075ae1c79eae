/*
 * Sending and receiving signals. Everything that can hit init is restricted in arguments.h.
 * Columns as in table.h.
 */
/* clang-format off */
CALL(rt_sigaction,             ANY,   ALL,      NEVER,      "its own handlers")
CALL(rt_sigprocmask,           ANY,   ALL,      NEVER,      "its own mask")
CALL(rt_sigreturn,             ANY,   ALL,      NEVER,      "returns from a handler")
CALL(rt_sigpending,            ANY,   ALL,      NEVER,      "asks")
CALL(rt_sigsuspend,            ANY,   ALL,      NEVER,      "waits")
CALL(rt_sigtimedwait,          ANY,   ALL,      NEVER,      "waits")
CALL(sigaltstack,              ANY,   ALL,      NEVER,      "its own stack")
CALL(restart_syscall,          ANY,   ALL,      NEVER,      "the kernel's own, after a stop")
CALL(pause,                    X86,   ALL,      NEVER,      "waits")
CALL(signalfd,                 X86,   ALL,      NEVER,      "receives as a descriptor")
CALL(signalfd4,                ANY,   ALL,      NEVER,      "receives as a descriptor")
CALL(kill,                     ANY,   ALL,      NEVER,      "its own processes; init by arguments.h")
CALL(tkill,                    ANY,   ALL,      NEVER,      "its own threads; init by arguments.h")
CALL(tgkill,                   ANY,   ALL,      NEVER,      "its own threads; init by arguments.h")
CALL(rt_sigqueueinfo,          ANY,   ALL,      NEVER,      "its own processes; init by arguments.h")
CALL(rt_tgsigqueueinfo,        ANY,   ALL,      NEVER,      "its own threads; init by arguments.h")
CALL(pidfd_send_signal,        ANY,   ALL,      NEVER,      "its own processes; not beside a guarded init, see arguments.h")
/* clang-format on */
