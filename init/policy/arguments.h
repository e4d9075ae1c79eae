/*
 * The guard prologue: rules that look at arguments, always at the low 32 bits, since that is all the kernel keeps
 * of a pid, a family or a command while a filter sees 64. They stand before --deny, --allow and the tree, so no
 * --allow lifts them. README.md says how to add a line; the order of the lines is the order of the program.
 *
 *   LINE(call, when, answer, tests, reason)
 *     when     enum policy_when without its prefix
 *     answer   PASS (go on to deny, allow and tree), DENIED (EPERM, counted), QUIET (EPERM, never counted), or an errno
 *     tests    IF_ANY, IF(test), IF2(test, test), IF3(test, test, test); all have to hold
 *
 * The first line that holds answers; where none holds, the call passes. No include guard, as in table.h.
 */
/* clang-format off */

/* ---- descriptors: commands that set who receives signals, and those that inject or allocate ---- */
LINE(ioctl, ALWAYS,    DENIED,     IF(IS(1, TIOCSTI)),   "types into the terminal that started Proctor")
LINE(ioctl, ALWAYS,    DENIED,     IF(IS(1, TIOCLINUX)), "pastes into the console")
LINE(ioctl, GUARD,     DENIED,     IF(IS(1, FIOSETOWN)), "SIGIO to init; the pid is behind a pointer")
LINE(ioctl, GUARD,     DENIED,     IF(IS(1, SIOCSPGRP)), "SIGIO to init; the pid is behind a pointer")
LINE(ioctl, MONITORED, EOPNOTSUPP, IF(IS(1, RESVSP)),    "fallocate by another name: gigabytes in milliseconds")
LINE(ioctl, MONITORED, EOPNOTSUPP, IF(IS(1, RESVSP64)),  "fallocate by another name: gigabytes in milliseconds")
LINE(ioctl, MONITORED, EOPNOTSUPP, IF(IS(1, ZERO_RANGE)), "fallocate by another name: gigabytes in milliseconds")
LINE(fcntl, GUARD, DENIED, IF2(IS(1, F_SETOWN), IS_INIT(2)),        "SIGIO to init")
LINE(fcntl, GUARD, DENIED, IF2(IS(1, F_SETOWN), IS_MINUS_INIT(2)),  "SIGIO to init's group")
LINE(fcntl, GUARD, DENIED, IF2(IS(1, F_SETOWN), IS_MINUS_GROUP(2)), "SIGIO to init's group")
LINE(fcntl, GUARD, DENIED, IF(IS(1, F_SETOWN_EX)), "SIGIO to init; the pid is behind a pointer")
LINE(fcntl, GUARD, DENIED, IF(IS(1, F_SETSIG)),    "any signal instead of SIGIO")
LINE(fallocate, MONITORED, EOPNOTSUPP, IF_ANY, "takes gigabytes in milliseconds; C libraries write instead")
LINE(mknod,   ALWAYS, DENIED, IF(MASKED(1, S_IFMT, S_IFCHR)), "a device")
LINE(mknod,   ALWAYS, DENIED, IF(MASKED(1, S_IFMT, S_IFBLK)), "a device")
LINE(mknodat, ALWAYS, DENIED, IF(MASKED(2, S_IFMT, S_IFCHR)), "a device")
LINE(mknodat, ALWAYS, DENIED, IF(MASKED(2, S_IFMT, S_IFBLK)), "a device")

/* ---- processes: namespaces, and what is not a candidate's to set ---- */
LINE(clone,   ALWAYS, DENIED, IF(HAS(0, NAMESPACES)), "a namespace gives back the capabilities that the seal took")
LINE(unshare, ALWAYS, DENIED, IF(HAS(0, NAMESPACES | CLONE_NEWTIME)), "as clone; this bit is an exit signal there")
LINE(prctl,   ALWAYS, DENIED, IF(IS(0, PR_SCHED_CORE)), "decides who shares a core, init included")
LINE(prctl,   ONLY_STRICT, DENIED, IF(IS(0, PR_SET_SECCOMP)), "seccomp by another name: hides denials from the ledger")
LINE(personality, ALWAYS, PASS, IF(IS(0, ASK_PERSONALITY)),  "asks")
LINE(personality, ALWAYS, PASS, IF(IS(0, PER_LINUX)),        "what it is already")
LINE(personality, ALWAYS, PASS, IF(IS(0, PER_LINUX32)),      "uname says i686 (linux32, build tools)")
LINE(personality, ALWAYS, PASS, IF(IS(0, UNAME26)),          "uname says 2.6 (old installers)")
LINE(personality, ALWAYS, PASS, IF(IS(0, UNAME26 | PER_LINUX32)), "both")
LINE(personality, ALWAYS, PASS, IF(IS(0, ADDR_NO_RANDOMIZE)), "fixed addresses for itself (Lisp systems, setarch -R)")
LINE(personality, ALWAYS, DENIED, IF_ANY, "readable means executable, mappings at 0, other systems' calls")

/* ---- sockets: an allow-list of families ---- */
LINE(socket, SOCKETS,  PASS, IF(IS(0, AF_UNIX)), "within the container (multiprocessing, CUDA start-up)")
LINE(socket, LOOPBACK, PASS, IF3(IS(0, AF_INET),  MASKED(1, TYPE, SOCK_STREAM), IS(2, 0)),           "TCP")
LINE(socket, LOOPBACK, PASS, IF3(IS(0, AF_INET),  MASKED(1, TYPE, SOCK_STREAM), IS(2, IPPROTO_TCP)), "TCP")
LINE(socket, LOOPBACK, PASS, IF3(IS(0, AF_INET),  MASKED(1, TYPE, SOCK_DGRAM),  IS(2, 0)),           "UDP")
LINE(socket, LOOPBACK, PASS, IF3(IS(0, AF_INET),  MASKED(1, TYPE, SOCK_DGRAM),  IS(2, IPPROTO_UDP)), "UDP")
LINE(socket, LOOPBACK, PASS, IF3(IS(0, AF_INET6), MASKED(1, TYPE, SOCK_STREAM), IS(2, 0)),           "TCP")
LINE(socket, LOOPBACK, PASS, IF3(IS(0, AF_INET6), MASKED(1, TYPE, SOCK_STREAM), IS(2, IPPROTO_TCP)), "TCP")
LINE(socket, LOOPBACK, PASS, IF3(IS(0, AF_INET6), MASKED(1, TYPE, SOCK_DGRAM),  IS(2, 0)),           "UDP")
LINE(socket, LOOPBACK, PASS, IF3(IS(0, AF_INET6), MASKED(1, TYPE, SOCK_DGRAM),  IS(2, IPPROTO_UDP)), "UDP")
LINE(socket, LOOPBACK, EPROTONOSUPPORT, IF2(IS(0, AF_INET),  MASKED(1, TYPE, SOCK_STREAM)), "MPTCP, SCTP, SMC: Go probes")
LINE(socket, LOOPBACK, EPROTONOSUPPORT, IF2(IS(0, AF_INET),  MASKED(1, TYPE, SOCK_DGRAM)),  "ping, L2TP, UDP-Lite")
LINE(socket, LOOPBACK, EPROTONOSUPPORT, IF2(IS(0, AF_INET6), MASKED(1, TYPE, SOCK_STREAM)), "MPTCP, SCTP, SMC: Go probes")
LINE(socket, LOOPBACK, EPROTONOSUPPORT, IF2(IS(0, AF_INET6), MASKED(1, TYPE, SOCK_DGRAM)),  "ping, L2TP, UDP-Lite")
LINE(socket, OPEN,     PASS,   IF(IS(0, AF_INET)),    "no --network was given")
LINE(socket, OPEN,     PASS,   IF(IS(0, AF_INET6)),   "no --network was given")
LINE(socket, OPEN,     PASS,   IF(IS(0, AF_NETLINK)), "no --network was given: names of interfaces")
LINE(socket, SOCKETS,  QUIET,  IF(IS(0, AF_NETLINK)), "every getaddrinfo asks for interfaces first: no attempt to count")
LINE(socket, SOCKETS,  DENIED, IF_ANY, "the internet, AF_VSOCK (the host), AF_ALG (page cache), AF_PACKET, ...")
LINE(socketpair, SOCKETS, PASS,   IF(IS(0, AF_UNIX)), "within the container (multiprocessing, asyncio)")
LINE(socketpair, SOCKETS, DENIED, IF_ANY, "TIPC and whatever comes; the internet families have no pairs")

/* ---- the guard: every call that can name init, for candidates with init's own uid ---- */
LINE(kill, GUARD,           DENIED, IF(IS_INIT(0)),        "a signal that init handles")
LINE(kill, GUARD_NOT_FIRST, DENIED, IF(IS_MINUS_INIT(0)),  "a signal to init's group")
LINE(kill, GUARD_NOT_FIRST, DENIED, IF(IS_MINUS_GROUP(0)), "a signal to init's group")
LINE(kill, GUARD_NOT_FIRST, DENIED, IF(IS(0, EVERYBODY)),  "to all: the kernel leaves out process 1 alone")
LINE(tkill,  GUARD, DENIED, IF(IS_INIT(0)), "a signal that init handles")
LINE(tgkill, GUARD, DENIED, IF(IS_INIT(0)), "a signal that init handles")
LINE(tgkill, GUARD, DENIED, IF(IS_INIT(1)), "a signal that init handles")
LINE(rt_sigqueueinfo,   GUARD, DENIED, IF(IS_INIT(0)), "a signal that init handles, with a forged origin")
LINE(rt_tgsigqueueinfo, GUARD, DENIED, IF(IS_INIT(0)), "a signal that init handles, with a forged origin")
LINE(rt_tgsigqueueinfo, GUARD, DENIED, IF(IS_INIT(1)), "a signal that init handles, with a forged origin")
LINE(pidfd_open,        GUARD, DENIED, IF(IS_INIT(0)), "a handle on init")
LINE(pidfd_send_signal, GUARD, DENIED, IF_ANY, "an open /proc/1 is a handle on init; a number says nothing")
LINE(pidfd_getfd,       GUARD, DENIED, IF_ANY, "what init holds; a number does not say whose it is")
LINE(prlimit64,         GUARD, DENIED, IF(IS_INIT(0)), "a CPU limit would kill init, a descriptor limit blind it")
LINE(sched_setparam,     GUARD, DENIED, IF(IS_INIT(0)), "a starved init misses its deadlines")
LINE(sched_setscheduler, GUARD, DENIED, IF(IS_INIT(0)), "a starved init misses its deadlines")
LINE(sched_setattr,      GUARD, DENIED, IF(IS_INIT(0)), "a starved init misses its deadlines")
LINE(sched_setaffinity,  GUARD, DENIED, IF(IS_INIT(0)), "a starved init misses its deadlines")
LINE(setpriority, GUARD, DENIED, IF(IS_INIT(1)),  "a starved init misses its deadlines")
LINE(setpriority, GUARD, DENIED, IF(IS_GROUP(1)), "a starved init misses its deadlines")
LINE(setpriority, GUARD, DENIED, IF(IS(0, PRIO_USER)), "all of one user: init as well")
LINE(ioprio_set,  GUARD, DENIED, IF(IS_INIT(1)),  "a starved init misses its deadlines")
LINE(ioprio_set,  GUARD, DENIED, IF(IS_GROUP(1)), "a starved init misses its deadlines")
LINE(ioprio_set,  GUARD, DENIED, IF(IS(0, IOPRIO_USER)), "all of one user: init as well")
/* Denied by every table line or to most profiles: for those that may, and for --allow. */
LINE(ptrace,            GUARD, DENIED, IF(IS_INIT(1)), "stops init")
LINE(process_vm_readv,  GUARD, DENIED, IF(IS_INIT(0)), "init's memory holds the key")
LINE(process_vm_writev, GUARD, DENIED, IF(IS_INIT(0)), "init's memory holds the key")
LINE(get_robust_list,   GUARD, DENIED, IF(IS_INIT(0)), "an address in init")
LINE(kcmp,              GUARD, DENIED, IF(IS_INIT(0)), "what init holds")
LINE(kcmp,              GUARD, DENIED, IF(IS_INIT(1)), "what init holds")
LINE(move_pages,        GUARD, DENIED, IF(IS_INIT(0)), "where init's memory lies")
LINE(migrate_pages,     GUARD, DENIED, IF(IS_INIT(0)), "where init's memory lies")
LINE(perf_event_open,   GUARD, DENIED, IF(IS_INIT(1)), "what init does")
/* clang-format on */
