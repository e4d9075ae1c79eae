"""Processes, memory, output and logs beyond what was granted."""

from battery.case import Case, ended, limit, refused, scored
from battery.evidence import expect

PROCESSES, MEMORY, OUTPUT, LOGS = "/battery/processes", "/battery/memory", "/battery/output", "/battery/logs"
WALL = {"wall-time": "400ms"}


def memory(name, *command, **more):
    """The kernel's OOM killer ended somebody; the run's own limit was hit, by the host's own reading too."""

    def check(e):
        seen = e.stage["observed"]
        expect(seen["oom_kills"] and seen["memory_limit_hits"], f"the host's reading: {seen}")
        expect(e.cause["verdict"] == "MEMORY" and e.cause["limit"] == 64 << 20, f"cause {e.cause}")

    return Case(name, (MEMORY, *command), "MEMORY", by_init=False, survivors=None, check=check, **more)


def _full_scratch(e):
    expect(e.lines().count("deny /dev/shm ENOSPC") == 1 and e.lines().count("deny /tmp ENOSPC") == 1, f"{e.lines()}")
    return "ENOSPC on both, no more"


def _lines(*wanted):
    def check(e):
        for line in wanted:
            expect(line in e.lines(), f"no line {line!r}: {e.lines()[:10]}")
        return ", ".join(wanted)

    return check


def _bounded(e):
    for name, stream in e.record["logs"].items():
        expect(stream["bytes"] > stream["kept"] > 0, f"{name}: {stream}")
        expect(stream["kept"] <= 64 << 10, f"{name}: {stream}")
    return ", ".join(f"{name} {s['bytes']} bytes, {s['kept']} kept" for name, s in e.record["logs"].items())


def _flood(e):
    stream = e.record["logs"]["stdout"]
    expect(stream["bytes"] == 100 << 20, f"{stream}")
    expect(stream["kept"] <= 64 << 10, f"{stream}")
    text = e.log()
    expect(text.startswith(b"the first line\n") and text.endswith(b"the last line\n"), "head or tail is not there")
    return f"{stream['bytes']} bytes, {stream['kept']} kept, head and tail"


def _binary(e):
    values = bytes(range(255, -1, -1))
    expect(e.log() == values + b"\xff" * (1 << 20), "stdout was changed")
    expect(e.log("stderr") == values, "stderr was changed")
    return "1048832 bytes unharmed"


def _forged(e):
    expect(b'"verdict":"SCORED"' in e.log() and b"PASSED" in e.log("stderr"), "the text is not in the log")
    expect(b"breach" not in e.log(), e.log())
    expect(e.answer["metrics"] == [], "it has metrics")
    return "kept as text"


def _last_words(e):
    expect(e.log().endswith(b"\nend\n"), "what was written last is lost")


def _refused(kind):
    def check(e):
        kinds = {item["path"]: item["kind"] for item in e.stage["refused"]}
        expect(kinds.get("predictions.csv") == kind, f"refused: {kinds}")
        expect(b"root:" not in b"".join(e.read(f"outputs/{n}") for n in _stored(e)), "a host file was taken in")
        return f"refused as {kind}"

    return check


def _stored(e):
    import os

    folder = e.path("outputs")
    return [n for n in os.listdir(folder) if os.path.isfile(os.path.join(folder, n))] if os.path.isdir(folder) else []


def _unreadable(e):
    kinds = {item["path"]: item["kind"] for item in e.stage["refused"]}
    return f"the table was read, refused {len(kinds)}: {' '.join(sorted(set(kinds.values())))}"


CASES = [
    limit("fork-bomb", "PROCESSES", PROCESSES, "bomb"),
    limit("fork-comets", "WALL_TIME", PROCESSES, "comets", limits={**WALL, "processes": 8192}),
    limit("30-threads", "PROCESSES", PROCESSES, "threads"),
    scored("13-25-orphans", PROCESSES, "orphans", "40", check=_lines("reaped"), limits={"processes": 128}),
    scored("02-daemon-holds-stdout", PROCESSES, "survivor", survivors=1, notes=("survivors",)),
    limit("stop-all", "WALL_TIME", PROCESSES, "stop-all", limits=WALL),
    scored("kill-all", PROCESSES, "kill-all", check=_lines("killed all")),
    limit("dead-leader", "WALL_TIME", PROCESSES, "dead-leader", limits=WALL),
    memory("06-memory", "itself"),
    memory("04-memory-of-a-child", "child"),
    memory("memory-unkillable", "unkillable"),
    memory("21-memfd", "memfd"),
    memory("memory-and-scratch", "everything", "/tmp", "/dev/shm"),
    scored("21-scratch-full", MEMORY, "scratch", "/tmp", "/dev/shm", check=_full_scratch),
    limit("output-bytes", "OUTPUT_BYTES", OUTPUT, "bytes"),
    limit("20-output-deleted", "OUTPUT_BYTES", OUTPUT, "deleted"),
    limit("output-preallocated", "OUTPUT_BYTES", OUTPUT, "preallocate", "270000"),
    limit("output-files", "OUTPUT_FILES", OUTPUT, "files"),
    refused("output-sparse", "OUTPUT_UNSAFE", OUTPUT, "sparse", check=_refused("large")),
    refused("output-sparse-small", "TABLE_FORMAT", OUTPUT, "sparse", "200000"),
    scored("output-sparse-beside", OUTPUT, "sparse-beside", notes=("refused-files",)),
    ended("file-size", "SIGNALED", {"signal": 25}, OUTPUT, "file-size", limits={"file-size": "64KiB"}),
    refused("output-missing", "OUTPUT_MISSING", "/battery/ends", "exit", "0"),
    refused("17-output-symlink", "OUTPUT_NOT_REGULAR", OUTPUT, "symlink", "/etc/passwd", check=_refused("symlink")),
    refused("17-output-symlink-magic", "OUTPUT_NOT_REGULAR", OUTPUT, "symlink", "/proc/self/root/etc/passwd",
            check=_refused("symlink")),
    refused("18-output-hard-link", "OUTPUT_UNSAFE", OUTPUT, "hard-link", check=_refused("hard-link")),
    refused("19-output-fifo", "OUTPUT_NOT_REGULAR", OUTPUT, "fifo", check=_refused("fifo")),
    refused("19-output-folder", "OUTPUT_NOT_REGULAR", OUTPUT, "folder", check=_refused("directory")),
    refused("19-output-socket", "OUTPUT_NOT_REGULAR", OUTPUT, "socket", check=_refused("socket")),
    scored("15-output-unreadable", OUTPUT, "unreadable", check=_unreadable, notes=("refused-files",)),
    scored("output-deep", OUTPUT, "deep", limits={"output-files": 64}),
    limit("07-log-endless", "WALL_TIME", LOGS, "endless", limits=WALL, check=_bounded, notes=("log-truncated",)),
    scored("08-09-log-flood", LOGS, "flood", check=_flood, notes=("log-truncated",)),
    scored("01-log-binary", LOGS, "binary", check=_binary, limits={"log-bytes": "2MiB"}),
    refused("31-log-forged-record", "OUTPUT_MISSING", LOGS, "forged", check=_forged),
    scored("log-stolen", LOGS, "steal"),
    scored("log-closed", LOGS, "closed"),
    ended("log-last-words", "EXIT_NONZERO", {"code": 3}, LOGS, "last-words", check=_last_words, limits={"log-bytes": "256KiB"}),
    Case("sysv-segments", (MEMORY, "segments"), "MEMORY", by_init=False, survivors=None, limits={"processes": 256}),
]
