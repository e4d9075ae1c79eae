/*
 * The machine itself: its code, its state, its counters. Nothing here belongs to a candidate but asking.
 * Columns as in table.h.
 */
/* clang-format off */
CALL(uname,                    ANY,   ALL,      NEVER,      "asks")
CALL(sysinfo,                  ANY,   ALL,      NEVER,      "asks")
CALL(getrandom,                ANY,   ALL,      NEVER,      "random bytes")
CALL(bpf,                      ANY,   NOBODY,   EPERM,      "loads code into the kernel")
CALL(perf_event_open,          ANY,   NOBODY,   EPERM,      "measures other processes; a large and often broken part of the kernel")
CALL(init_module,              ANY,   NOBODY,   EPERM,      "loads code into the kernel")
CALL(finit_module,             ANY,   NOBODY,   EPERM,      "loads code into the kernel")
CALL(delete_module,            ANY,   NOBODY,   EPERM,      "unloads code of the kernel")
CALL(kexec_load,               ANY,   NOBODY,   EPERM,      "replaces the kernel")
CALL(kexec_file_load,          ANY,   NOBODY,   EPERM,      "replaces the kernel")
CALL(reboot,                   ANY,   NOBODY,   EPERM,      "stops the machine")
CALL(swapon,                   ANY,   NOBODY,   EPERM,      "changes the machine's memory")
CALL(swapoff,                  ANY,   NOBODY,   EPERM,      "changes the machine's memory")
CALL(sethostname,              ANY,   NOBODY,   EPERM,      "changes the machine's name")
CALL(setdomainname,            ANY,   NOBODY,   EPERM,      "changes the machine's name")
CALL(syslog,                   ANY,   NOBODY,   EPERM,      "reads the kernel's log and addresses")
CALL(acct,                     ANY,   NOBODY,   EPERM,      "writes process accounting")
CALL(vhangup,                  ANY,   NOBODY,   EPERM,      "hangs up a terminal")
CALL(lookup_dcookie,           ANY,   NOBODY,   EPERM,      "a profiler's view of other processes' files")
CALL(ioperm,                   X86,   NOBODY,   EPERM,      "opens I/O ports")
CALL(iopl,                     X86,   NOBODY,   EPERM,      "opens I/O ports")
CALL(modify_ldt,               X86,   NOBODY,   EPERM,      "16-bit segments; often a hole, needed by Wine alone")
/* clang-format on */
