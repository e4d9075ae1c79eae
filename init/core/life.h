/*
 * The life of a run as one table: state × event → next state and what to do. After the spawn init never dies by
 * itself; whatever happens is an event here, and every path leads to an end. Pure.
 */
#ifndef PROCTOR_CORE_LIFE_H
#define PROCTOR_CORE_LIFE_H

#include <stdbool.h>

enum life_state {
	LIFE_RUNNING,  /* the candidate runs */
	LIFE_GRACE,    /* the tree has SIGTERM; SIGKILL follows when the grace is over */
	LIFE_KILLING,  /* SIGKILL was sent; waiting until nobody is left */
	LIFE_DRAINING, /* nobody is left; the pipes are emptied */
	LIFE_ENDED,    /* the record can be written */
	LIFE_LEAVING,  /* the host is gone: everything is being killed, nobody is there to report to */
	LIFE_LEFT,     /* ... and is dead */
	LIFE_STATE_END
};

enum life_event {
	EVENT_LIMIT,  /* a limit of time was reached: the tree may clean up within the grace */
	EVENT_BREACH, /* a limit was passed that may not be passed a moment longer, or a fault of init's own */
	EVENT_STOP,   /* somebody outside asks to stop */
	EVENT_GRACE_OVER,   /* */
	EVENT_MAIN_ENDED,   /* the main process was reaped */
	EVENT_ALL_GONE,	    /* no process of the tree is left */
	EVENT_KILL_OVER,    /* some would not die within the bound */
	EVENT_DRAINED,	    /* the pipes are empty */
	EVENT_DRAIN_OVER,   /* they would not become so within the bound */
	EVENT_CARRIER_LOST, /* the host closed the session */
	EVENT_END
};

/* What the caller has to do; bits. */
enum life_action {
	DO_TERM = 1,	    /* SIGTERM to the whole tree */
	DO_KILL = 2,	    /* SIGKILL to the whole tree */
	DO_GRACE_CLOCK = 4, /* EVENT_GRACE_OVER after the grace */
	DO_KILL_CLOCK = 8,  /* EVENT_KILL_OVER after a bound */
	DO_DRAIN_CLOCK = 16 /* EVENT_DRAIN_OVER after a bound */
};

/* Moves *state and returns the actions, bits of life_action. An event that means nothing in a state changes nothing. */
unsigned life_step(enum life_state *state, enum life_event event);

/* True in LIFE_ENDED and LIFE_LEFT. */
bool life_over(enum life_state state);

#endif
