/*
 * The syscall table: one line per call, in one file per topic. README.md says how to read and how to add a line.
 * The generator refuses a table that leaves out a call its library knows, or whose programs answer otherwise.
 *
 *   CALL(name, where, profiles, otherwise, reason)
 *     where      ANY, X86 (x86_64 alone has it), NEWER (than the pinned library: ENOSYS like any number without a line)
 *     profiles   who may call it: ALL, ML_UP (ml, ml-multi, gpu), MULTI_UP (ml-multi, gpu), GPU_ONLY, NOBODY
 *     otherwise  the answer elsewhere: NEVER (allowed to all), EPERM (a denial, counted), ENOSYS, EOPNOTSUPP
 *
 * No include guard: whoever includes this defines CALL first and undefines it afterwards.
 */
/* clang-format off */
#include "policy/table_files.h"
#include "policy/table_descriptors.h"
#include "policy/table_memory.h"
#include "policy/table_processes.h"
#include "policy/table_identity.h"
#include "policy/table_signals.h"
#include "policy/table_time.h"
#include "policy/table_ipc.h"
#include "policy/table_network.h"
#include "policy/table_kernel.h"
#include "policy/table_obsolete.h"
/* clang-format on */
