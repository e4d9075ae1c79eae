/* The pace of looks. Pure. */
#include "core/pace.h"

static uint64_t between(uint64_t v, uint64_t least, uint64_t most)
{
	return v < least ? least : v > most ? most : v;
}

uint64_t pace_bytes(uint64_t left, uint64_t rate)
{
	return between(left / 2 / (rate > PACE_RATE ? rate : PACE_RATE), PACE_SOONEST, PACE_LATEST);
}

uint64_t pace_files(uint64_t left)
{
	return between(left / 2, 10 * PACE_SOONEST, PACE_LATEST);
}

uint64_t pace_calm(uint64_t pace, uint64_t calm)
{
	return calm < PACE_CALM ? pace : between(4 * pace, PACE_REST, PACE_LATEST);
}
