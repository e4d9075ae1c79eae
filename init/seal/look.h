/*
 * Looking around: what the world is like before the seal. Every function here only reads, blocks on nothing but a hung
 * filesystem, takes no memory, and never fails: what could not be seen leaves its fact at "no" (or "none") and marks
 * the facts incomplete, so that a requirement built on it is not met.
 */
#ifndef PROCTOR_SEAL_LOOK_H
#define PROCTOR_SEAL_LOOK_H

#include "core/facts.h"

/* Fills all facts, the cgroup's included. 0, or 1 when f->incomplete. */
int look_around(struct facts *f);

/*
 * Fills f->cgroup alone (cgroups(7)): for watching memory and CPU when nobody asked for facts. Touches nothing else but
 * f->incomplete. 0, or -ENOENT when no cgroup of the own can be read.
 */
int look_cgroup(struct facts *f);

#endif
