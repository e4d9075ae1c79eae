/*
 * User and group ids, capabilities, keys. The seal took all capabilities and set no_new_privs, so ids cannot rise.
 * Columns as in table.h.
 */
/* clang-format off */
CALL(getuid,                   ANY,   ALL,      NEVER,      "asks")
CALL(geteuid,                  ANY,   ALL,      NEVER,      "asks")
CALL(getgid,                   ANY,   ALL,      NEVER,      "asks")
CALL(getegid,                  ANY,   ALL,      NEVER,      "asks")
CALL(getresuid,                ANY,   ALL,      NEVER,      "asks")
CALL(getresgid,                ANY,   ALL,      NEVER,      "asks")
CALL(getgroups,                ANY,   ALL,      NEVER,      "asks")
CALL(setuid,                   ANY,   ALL,      NEVER,      "the kernel refuses another id without a capability")
CALL(setgid,                   ANY,   ALL,      NEVER,      "the kernel refuses another id without a capability")
CALL(setreuid,                 ANY,   ALL,      NEVER,      "the kernel refuses another id without a capability")
CALL(setregid,                 ANY,   ALL,      NEVER,      "the kernel refuses another id without a capability")
CALL(setresuid,                ANY,   ALL,      NEVER,      "the kernel refuses another id without a capability")
CALL(setresgid,                ANY,   ALL,      NEVER,      "the kernel refuses another id without a capability")
CALL(setfsuid,                 ANY,   ALL,      NEVER,      "the kernel refuses another id without a capability")
CALL(setfsgid,                 ANY,   ALL,      NEVER,      "the kernel refuses another id without a capability")
CALL(setgroups,                ANY,   ALL,      NEVER,      "the kernel refuses it without a capability")
CALL(capget,                   ANY,   ALL,      NEVER,      "asks")
CALL(capset,                   ANY,   ALL,      NEVER,      "can only drop")
CALL(add_key,                  ANY,   NOBODY,   EPERM,      "keyrings are not per container")
CALL(request_key,              ANY,   NOBODY,   EPERM,      "keyrings are not per container")
CALL(keyctl,                   ANY,   NOBODY,   EPERM,      "keyrings are not per container")
CALL(lsm_get_self_attr,        NEWER, NOBODY,   ENOSYS,     "labels of a security module; nobody relies on it")
CALL(lsm_set_self_attr,        NEWER, NOBODY,   ENOSYS,     "labels of a security module; nobody relies on it")
CALL(lsm_list_modules,         NEWER, NOBODY,   ENOSYS,     "which security modules there are; nobody relies on it")
/* clang-format on */
