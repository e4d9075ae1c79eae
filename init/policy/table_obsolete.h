/*
 * Numbers that current kernels do not serve, or serve to nobody: the answer of a kernel without them.
 * Columns as in table.h.
 */
/* clang-format off */
CALL(_sysctl,                  X86,   NOBODY,   ENOSYS,     "gone since 5.5")
CALL(afs_syscall,              X86,   NOBODY,   ENOSYS,     "never served")
CALL(create_module,            X86,   NOBODY,   ENOSYS,     "gone since 2.6")
CALL(epoll_ctl_old,            X86,   NOBODY,   ENOSYS,     "never served")
CALL(epoll_wait_old,           X86,   NOBODY,   ENOSYS,     "never served")
CALL(get_kernel_syms,          X86,   NOBODY,   ENOSYS,     "gone since 2.6")
CALL(get_thread_area,          X86,   NOBODY,   ENOSYS,     "32-bit programs only")
CALL(set_thread_area,          X86,   NOBODY,   ENOSYS,     "32-bit programs only")
CALL(getpmsg,                  X86,   NOBODY,   ENOSYS,     "never served")
CALL(putpmsg,                  X86,   NOBODY,   ENOSYS,     "never served")
CALL(nfsservctl,               ANY,   NOBODY,   ENOSYS,     "gone since 3.1")
CALL(query_module,             X86,   NOBODY,   ENOSYS,     "gone since 2.6")
CALL(security,                 X86,   NOBODY,   ENOSYS,     "never served")
CALL(sysfs,                    X86,   NOBODY,   ENOSYS,     "numbers of file system types; nobody asks")
CALL(tuxcall,                  X86,   NOBODY,   ENOSYS,     "never served")
CALL(uselib,                   X86,   NOBODY,   ENOSYS,     "libc 4's shared libraries")
CALL(ustat,                    X86,   NOBODY,   ENOSYS,     "replaced by statfs")
CALL(vserver,                  X86,   NOBODY,   ENOSYS,     "never served")
/* clang-format on */
