/* The watchers together. */
#include "watch/watch.h"

#include "sys/clock.h"
#include "wire/limits.h"

void watch_open(struct watch *w, const struct plan *plan, const struct facts *facts, int proc, int space,
    const struct fsids *candidate)
{
	uint64_t cpu_limit = plan->number[OPTION_CPU_TIME];

	memory_open(&w->memory, facts, plan->number[OPTION_MEMORY]);
	cpu_open(&w->cpu, facts, cpu_limit);
	w->cpu_quota = facts && facts->cgroup.cpus > 0;
	output_open(&w->output, plan, space, candidate);
	processes_open(&w->processes, proc, facts, plan->number[OPTION_PROCESSES],
	    (cpu_limit != LIMIT_NONE && !cpu_exact(&w->cpu)) || w->memory.summed);
}

void watch_sight(const struct watch *w, struct sight *sight)
{
	sight->counts_processes = processes_counted(&w->processes);
	sight->exact_output = output_exact(&w->output);
	sight->monitors_output = output_monitors_result(&w->output);
	sight->exact_memory = memory_exact(&w->memory);
	sight->watches_memory = w->memory.watched;
	sight->sums_memory = w->memory.summed && w->processes.proc >= 0;
	sight->exact_cpu = cpu_exact(&w->cpu);
	sight->bounds_scratch = w->output.scratch_exact;
	sight->monitors_scratch = w->output.scratch_seen;
	sight->cpu_quota = w->cpu_quota;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t watch_next(const struct watch *w)
{
	uint64_t next = sooner(wall_due(&w->wall), w->memory.next);
	next = sooner(next, w->cpu.next);
	next = sooner(next, processes_next(&w->processes));
	return sooner(next, output_next(&w->output));
}

bool watch_look(struct watch *w, uint64_t now, struct breach *b)
{
	bool walked;

	if (wall_breach(&w->wall, now, b) || processes_look(&w->processes, now, &walked, b))
		return true;
	if (walked)
		cpu_walked(&w->cpu, &w->processes.last);
	if (walked && memory_walked(&w->memory, w->processes.last.resident, b))
		return true;
	return output_look(&w->output, now, b) || memory_look(&w->memory, now, b) ||
	       cpu_look(&w->cpu, now, false, b);
}

void watch_executed(struct watch *w)
{
	w->output.monitor.armed = true;
	if (w->output.monitor.trees > 0)
		clock_punctual();
}

bool watch_wants_stop(const struct watch *w)
{
	return w->output.monitor.hold;
}

void watch_stopped(struct watch *w, bool stopped)
{
	w->output.monitor.stopped = stopped;
}

bool watch_counts_at_end(const struct watch *w)
{
	return w->output.monitor.trees > 0 && !w->output.monitor.ended;
}

bool watch_main_ended(struct watch *w, uint64_t now, struct breach *b)
{
	/* A loop that was kept from running reaps late: the clock is asked before the end is believed. */
	struct breach second;
	bool late = wall_breach(&w->wall, now, b);

	wall_stop(&w->wall, now);
	if (late)
		b = &second;
	/* Opening folders takes memory of the run's cgroup, which the candidate may have filled. */
	return output_end(&w->output, now, memory_is_tight(&w->memory), b) ||
	       processes_end(&w->processes, b) || cpu_look(&w->cpu, now, true, b) || late;
}

void watch_after(struct watch *w, struct cause *c, uint64_t now, struct usage *usage)
{
	wall_stop(&w->wall, now);
	memory_after(&w->memory, c, wall_at(&w->wall, now));
	processes_after(&w->processes, c, wall_at(&w->wall, now));
	usage->wall_ms = (struct figure){wall_elapsed(&w->wall, now), HOW_EXACT};
	usage->cpu_ms = cpu_used(&w->cpu);
	usage->memory_peak = memory_peak(&w->memory);
	usage->processes_peak = processes_peak(&w->processes);
	output_usage(&w->output, &usage->output_bytes, &usage->output_files);
	usage->scratch_full = output_scratch_full(&w->output);
}

void watch_sample(struct watch *w, uint64_t now, struct sample *s)
{
	struct figure bytes, files;

	output_usage(&w->output, &bytes, &files);
	s->elapsed_ms = wall_elapsed(&w->wall, now);
	s->cpu_ms = cpu_now_ms(&w->cpu);
	s->memory_bytes = memory_now(&w->memory);
	s->output_bytes = bytes.value;
	s->processes = processes_now(&w->processes);
}
