/*
 * Sockets. Which families can be opened is decided in arguments.h; what is open was opened under those rules.
 * Columns as in table.h.
 */
/* clang-format off */
CALL(socket,                   ANY,   ML_UP,    ENOSYS,     "families by arguments.h; without a profile for it silent, since every look-up of a user tries nscd")
CALL(socketpair,               ANY,   ALL,      NEVER,      "families by arguments.h; the JVM makes a pair before its first file, multiprocessing and asyncio to talk")
CALL(connect,                  ANY,   ML_UP,    EPERM,      "AF_UNIX, and the internet families on loopback")
CALL(bind,                     ANY,   ML_UP,    EPERM,      "AF_UNIX, and the internet families on loopback")
CALL(listen,                   ANY,   ML_UP,    EPERM,      "AF_UNIX, and the internet families on loopback")
CALL(accept,                   ANY,   ML_UP,    EPERM,      "AF_UNIX, and the internet families on loopback")
CALL(accept4,                  ANY,   ML_UP,    EPERM,      "AF_UNIX, and the internet families on loopback")
CALL(shutdown,                 ANY,   ALL,      NEVER,      "an open socket")
CALL(getsockname,              ANY,   ALL,      NEVER,      "an open socket")
CALL(getpeername,              ANY,   ALL,      NEVER,      "an open socket; bash asks at its start, and any error but ENOTSOCK means a login to it")
CALL(getsockopt,               ANY,   ALL,      NEVER,      "an open socket")
CALL(setsockopt,               ANY,   ML_UP,    EPERM,      "an open socket")
CALL(sendto,                   ANY,   ML_UP,    EPERM,      "an open socket")
CALL(recvfrom,                 ANY,   ML_UP,    EPERM,      "an open socket")
CALL(sendmsg,                  ANY,   ALL,      NEVER,      "an open socket; denied, the hand-over of a listener would wait for ever")
CALL(recvmsg,                  ANY,   ML_UP,    EPERM,      "an open socket")
CALL(sendmmsg,                 ANY,   ML_UP,    EPERM,      "an open socket")
CALL(recvmmsg,                 ANY,   ML_UP,    EPERM,      "an open socket")
/* clang-format on */
