"""How a main process can end: every status, every signal, no start at all, past a limit of time."""

import signal

from battery.case import Case, ended, judge, limit, scored
from battery.evidence import expect

ENDS = "/battery/ends"
PART = 32


def _statuses(first):
    """Each status by its own run; 124, 125, 126, 127 and 137 imitate what init itself would say."""

    def drive(bench):
        for code in range(first, first + PART):
            name = f"exit-{code}"
            case = (scored(name, ENDS, "table", "0") if code == 0
                    else ended(name, "EXIT_NONZERO", {"code": code}, ENDS, "exit", str(code)))
            e = bench.run(case.command)
            judge(case, e)
            expect(e.stage["observed"]["engine_status"] == code, f"the engine saw {e.stage['observed']['engine_status']}")
        return ("SCORED " if first == 0 else "") + "EXIT_NONZERO", f"{PART} runs, record and engine agree on each status"

    return Case(f"exit-{first}-to-{first + PART - 1}", drive=drive)


# What the kernel ends a process for by default; 19 to 22 stop, 17, 18, 23 and 28 are ignored.
FATAL = [n for n in range(1, 32) if n not in (17, 18, 19, 20, 21, 22, 23, 28)]
OURS = {"KILL": "03-", "XCPU": "03-", "XFSZ": "03-", "SYS": "03-", "USR1": "03-"}


def _signal(number):
    name = signal.Signals(number).name[3:]

    def check(e):
        expect(e.stage["observed"]["engine_status"] == 128 + number, f"the engine saw {e.stage['observed']['engine_status']}")

    return ended(f"{OURS.get(name, '')}signal-{name}", "SIGNALED", {"signal": number}, ENDS, "signal", str(number), check=check)


def _real_time(bench):
    for number in range(signal.SIGRTMIN - 2, signal.SIGRTMAX + 1):
        case = ended("rt", "SIGNALED", {"signal": number}, ENDS, "signal", str(number))
        judge(case, bench.run(case.command))
    return "SIGNALED", "33 runs, 32 to 64"


def _graceful(e):
    proof = e.cause["proof"]
    expect("SIGTERM" in proof, f"no SIGTERM in the proof: {proof}")
    return proof


def _killed(e):
    expect("SIGKILL" in e.cause["proof"], f"no SIGKILL in the proof: {e.cause['proof']}")
    return e.cause["proof"]


def _not_executed(e):
    expect(e.record["exit"] is None, f"exit {e.record['exit']}")


def _missing(name, verdict, *command):
    return Case(name, command, verdict, check=_not_executed)


WALL = {"wall-time": "400ms"}

CASES = [
    *(_statuses(first) for first in range(0, 256, PART)),
    *(_signal(number) for number in FATAL),
    Case("signal-real-time", drive=_real_time),
    ended("fault", "SIGNALED", {"signal": 11}, ENDS, "fault"),
    ended("stack-overflow", "SIGNALED", {"signal": 11}, ENDS, "overflow", limits={"stack": "256KiB"}),
    ended("03-own-filter", "SIGNALED", {"signal": 31}, ENDS, "own-filter"),
    ended("03-own-cpu-limit", "SIGNALED", {"signal": 9}, ENDS, "own-cpu-limit"),
    _missing("14-exec-missing", "EXEC_NOT_FOUND", "/battery/nothing"),
    _missing("14-exec-missing-in-path", "EXEC_NOT_FOUND", "nothing-of-that-name"),
    _missing("14-exec-no-interpreter", "EXEC_NOT_FOUND", "/battery/no-interpreter"),
    _missing("14-exec-denied", "EXEC_DENIED", "/battery/no-mode"),
    _missing("14-exec-folder", "EXEC_DENIED", "/battery"),
    _missing("14-exec-no-format", "EXEC_DENIED", "/battery/no-format"),
    limit("wall-time", "WALL_TIME", ENDS, "stay", limits=WALL, ended={"signal": 15}, check=_graceful),
    limit("wall-time-spin", "WALL_TIME", ENDS, "spin", limits=WALL, ended={"signal": 15}, check=_graceful),
    limit("wall-time-ignores-term", "WALL_TIME", ENDS, "ignore-term", limits=WALL, ended={"signal": 9}, check=_killed),
    limit("06-wall-time-then-success", "WALL_TIME", ENDS, "polite", limits=WALL, ended={"code": 0}, check=_graceful),
    limit("wall-time-no-grace", "WALL_TIME", ENDS, "ignore-term", limits={**WALL, "grace": "0s"}, ended={"signal": 9}),
    limit("22-cpu-time", "CPU_TIME", ENDS, "spin", limits={"cpu-time": "1s"}),
]
