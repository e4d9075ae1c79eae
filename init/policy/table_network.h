/*
 * Sockets. Which families can be opened is decided in arguments.h; what is open was opened under those rules.
 * Columns as in table.h.
 */
/* clang-format off */
CALL(socket,                   ANY,   ALL,      NEVER,      "families by arguments.h")
CALL(socketpair,               ANY,   ALL,      NEVER,      "families by arguments.h (multiprocessing, asyncio, CUDA start-up)")
CALL(connect,                  ANY,   ML_UP,    EPERM,      "AF_UNIX, and the internet families on loopback")
CALL(bind,                     ANY,   ML_UP,    EPERM,      "AF_UNIX, and the internet families on loopback")
CALL(listen,                   ANY,   ML_UP,    EPERM,      "AF_UNIX, and the internet families on loopback")
CALL(accept,                   ANY,   ML_UP,    EPERM,      "AF_UNIX, and the internet families on loopback")
CALL(accept4,                  ANY,   ML_UP,    EPERM,      "AF_UNIX, and the internet families on loopback")
CALL(shutdown,                 ANY,   ALL,      NEVER,      "an open socket")
CALL(getsockname,              ANY,   ALL,      NEVER,      "an open socket")
CALL(getpeername,              ANY,   ALL,      NEVER,      "an open socket")
CALL(getsockopt,               ANY,   ALL,      NEVER,      "an open socket")
CALL(setsockopt,               ANY,   ALL,      NEVER,      "an open socket")
CALL(sendto,                   ANY,   ALL,      NEVER,      "an open socket")
CALL(recvfrom,                 ANY,   ALL,      NEVER,      "an open socket")
CALL(sendmsg,                  ANY,   ALL,      NEVER,      "an open socket; denied, the hand-over of a listener would wait for ever")
CALL(recvmsg,                  ANY,   ALL,      NEVER,      "an open socket")
CALL(sendmmsg,                 ANY,   ALL,      NEVER,      "an open socket")
CALL(recvmmsg,                 ANY,   ALL,      NEVER,      "an open socket")
/* clang-format on */
