/* After TRUTH_EXPOSED: which runs may have read it. */
#ifndef PROCTOR_COMMAND_EXPOSED_H
#define PROCTOR_COMMAND_EXPOSED_H

#include "intake/exposure.h"

/* Adds to the fault how many runs of the task the home's ledger knows since that file appeared. Quiet without a ledger. */
void exposed_runs(
    const char *home, const struct task *task, const struct exposure_seen *seen, struct fault *fault);

#endif
