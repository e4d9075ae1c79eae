"""Limits that the kernel's own counters prove: forks refused, an ancestor's memory, whole seconds of CPU time."""

import os
import uuid

from battery import direct
from battery.case import Case, judge, limit, scored
from battery.evidence import expect

PROCESSES, OUTPUT = "/battery/processes", "/battery/output"


def _forks(e):
    """Init's count or the kernel's: either way it is the limit, and the host's own reading agrees."""
    seen = e.stage["observed"]
    expect(e.cause["by_init"] or seen["processes_limit_hits"] > 0, f"the host's reading: {seen}")
    expect(seen["processes_peak"] > 33, f"the host's reading: {seen}")
    expect(e.cause["verdict"] == "PROCESSES" and e.cause["limit"] == 32 < e.cause["observed"], f"{e.cause}")
    expect(e.record["usage"]["processes_peak"]["how"] in ("exact", "monitored"), f"{e.record['usage']}")
    return e.cause["proof"]


def _cpus(e):
    layer = next(row for row in e.answer["layers"] if row["name"] == "cpus")
    expect(layer["state"] == "by-engine", f"{layer}")
    expect("pids" in e.stage["facts"]["cgroup"]["readable"], f"{e.stage['facts']['cgroup']}")
    return layer["how"]


def _cpu_time(e):
    used = e.record["usage"]["cpu_ms"]
    expect(used["how"] == "exact" and used["value"] >= 1000, f"{used}")
    expect(e.cause["limit"] == 1000, f"{e.cause}")
    return f"{used['value']} ms"


def _whole_second(bench):
    """0.9 of a second is below one second, whatever rounds: no verdict of the limit."""
    e = bench.run((PROCESSES, "compute", "900"), {"cpu-time": "1s"})
    judge(scored(""), e)
    used = e.record["usage"]["cpu_ms"]
    expect(used["how"] == "exact" and 850 <= used["value"] < 1000, f"{used}")
    return e.verdict, f"used {used['value']} of 1000 ms"


def _group(controller, parent, name):
    path = os.path.join("/sys/fs/cgroup", controller, parent, name)
    os.mkdir(path)
    return path


def _ancestor(bench):
    """The limit above is hit, the run's own is not: the kernel's kill is no MEMORY of the candidate's."""
    name = "proctor-ancestor-" + uuid.uuid4().hex[:8]
    if not os.path.exists("/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        return "(skipped)", "no version 1 memory controller"
    above = _group("memory", "", name)
    own = _group("memory", name, "own")
    try:
        for path, value in ((above, 64 << 20), (own, 256 << 20)):
            with open(os.path.join(path, "memory.limit_in_bytes"), "w", encoding="ascii") as file:
                file.write(str(value))
        enter = f'echo $$ >{own}/cgroup.procs && exec unshare -C "$@"'
        a = direct.run(bench, "ancestor", ["--memory", "256MiB", "--wall-time", "50s", "--", "/battery/memory", "itself"],
                       wrap=["sh", "-c", enter, "sh"], cgroup=("memory", own))
        expect(a.cause["verdict"] == "SIGNALED" and a.record["exit"] == {"signal": 9}, f"{a.words()} {a.cause}")
        expect(a.record["usage"]["memory_peak"]["how"] == "exact", f"{a.record['usage']}")
        with open(os.path.join(own, "memory.oom_control"), encoding="ascii") as file:
            kills = file.read().split()[-1]
        expect(int(kills) > 0, "nothing was killed")
    finally:
        os.rmdir(own)
        os.rmdir(above)
    return a.verdict, f"{kills} OOM kills, none at its own limit"


def _clocks(bench):
    """In a time namespace that began a month ago the wall limit is as long as anywhere."""
    a = direct.run(bench, "clocks", ["--wall-time", "300ms", "--grace", "0s", "--", "/battery/ends", "stay", "x"],
                   wrap=["unshare", "-T", "-f", "--boottime", "2592000", "--monotonic", "2592000"])
    expect(a.cause["verdict"] == "WALL_TIME" and a.cause["limit"] == 300 <= a.cause["observed"], f"{a.words()}")
    expect(a.record["usage"]["wall_ms"]["value"] < 20000, f"{a.record['usage']}")
    return a.verdict, a.words()


CASES = [
    Case("30-fork-refused-and-gone", (PROCESSES, "give-up"), "PROCESSES", survivors=None, check=_forks),
    Case("fork-refused-and-well", (PROCESSES, "give-up", "well"), "PROCESSES", survivors=None, check=_forks),
    scored("cpus-by-engine", "/battery/ends", "table", check=_cpus),
    limit("22-cpu-time", "CPU_TIME", PROCESSES, "compute", "60000", limits={"cpu-time": "1s"}, check=_cpu_time),
    Case("22-cpu-below-a-second", drive=_whole_second),
    Case("18-oom-of-an-ancestor", drive=_ancestor),
    Case("23-time-namespace", drive=_clocks),
    scored("scratch-full-noted", "/battery/memory", "scratch", "/tmp", "/dev/shm", notes=("scratch-full",)),
]
