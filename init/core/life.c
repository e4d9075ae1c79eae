/* The table of a run's life. Pure. */
#include "core/life.h"

#include <stdint.h>

struct rule {
	uint8_t known; /* 0: the event means nothing here */
	uint8_t next;
	uint8_t actions;
};

#define TO(state, actions) \
	{ \
		1, LIFE_##state, actions \
	}
#define TERMINATE TO(GRACE, DO_TERM | DO_GRACE_CLOCK)
#define FINISH TO(KILLING, DO_KILL | DO_KILL_CLOCK)
#define LEAVE TO(LEAVING, DO_KILL | DO_KILL_CLOCK)
#define DRAIN TO(DRAINING, DO_DRAIN_CLOCK)

static const struct rule table[LIFE_STATE_END][EVENT_END] = {
    [LIFE_RUNNING] =
	{
	    [EVENT_LIMIT] = TERMINATE,
	    [EVENT_BREACH] = FINISH,
	    [EVENT_STOP] = TERMINATE,
	    [EVENT_MAIN_ENDED] = FINISH,
	    [EVENT_ALL_GONE] = DRAIN,
	    [EVENT_CARRIER_LOST] = LEAVE,
	},
    [LIFE_GRACE] =
	{
	    [EVENT_BREACH] = FINISH,
	    [EVENT_STOP] = FINISH, /* asked again: no more grace */
	    [EVENT_GRACE_OVER] = FINISH,
	    [EVENT_MAIN_ENDED] = FINISH,
	    [EVENT_ALL_GONE] = DRAIN,
	    [EVENT_CARRIER_LOST] = LEAVE,
	},
    [LIFE_KILLING] =
	{
	    [EVENT_ALL_GONE] = DRAIN,
	    [EVENT_KILL_OVER] = DRAIN,
	    [EVENT_CARRIER_LOST] = LEAVE,
	},
    [LIFE_DRAINING] =
	{
	    [EVENT_DRAINED] = TO(ENDED, 0),
	    [EVENT_DRAIN_OVER] = TO(ENDED, 0),
	    [EVENT_CARRIER_LOST] = TO(LEFT, 0),
	},
    [LIFE_LEAVING] =
	{
	    [EVENT_ALL_GONE] = TO(LEFT, 0),
	    [EVENT_KILL_OVER] = TO(LEFT, 0),
	},
};

unsigned life_step(enum life_state *state, enum life_event event)
{
	const struct rule *rule = &table[*state][event];

	if (!rule->known)
		return 0;
	*state = (enum life_state)rule->next;
	return rule->actions;
}

bool life_over(enum life_state state)
{
	return state == LIFE_ENDED || state == LIFE_LEFT;
}
