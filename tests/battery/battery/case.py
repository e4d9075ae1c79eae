"""A case: what runs, under which limits, and what has to come out of it. Data, judged in one place."""

from dataclasses import dataclass, field
from typing import Callable, Optional

from battery.evidence import expect

CLASSES = {0: "scored", 1: "submission", 3: "infrastructure", 4: "evaluator"}


@dataclass
class Case:
    name: str
    command: tuple = ()
    verdict: str = "SCORED"
    limits: dict = field(default_factory=dict)
    by_init: Optional[bool] = None  # who ended it; None: no record is expected
    ended: Optional[dict] = None  # the record's `exit`; None: not looked at
    notes: tuple = ()
    survivors: Optional[int] = 0
    check: Optional[Callable] = None  # (evidence) → a few words for the line, or None
    drive: Optional[Callable] = None  # (bench) → the whole case by itself: (verdict, words)


def scored(name, *command, **more):
    return Case(name, command, "SCORED", by_init=False, ended={"code": 0}, **more)


def limit(name, verdict, *command, **more):
    return Case(name, command, verdict, by_init=True, **{"survivors": None, **more})


def forbidden(name, *command, **more):
    """Ended by init for a call that no policy answers: a decision without numbers."""
    return Case(name, command, "FORBIDDEN_SYSCALL", by_init=True, ended={"signal": 9}, survivors=None, **more)


def ended(name, verdict, how, *command, **more):
    return Case(name, command, verdict, by_init=False, ended=how, **more)


def refused(name, verdict, *command, **more):
    """The candidate ends well, its output does not."""
    return Case(name, command, verdict, by_init=False, ended={"code": 0}, **more)


def judge(case, e):
    """Raises Broken at the first expectation that does not hold; returns words for the line."""
    expect(e.verdict == case.verdict, f"verdict {e.verdict}, expected {case.verdict} ({e.summary()}; {e.words})")
    expect(CLASSES.get(e.status) == e.answer["class"], f"exit status {e.status} for class {e.answer['class']}")
    expect(e.answer["exit"] == e.status, "`exit` is not the exit status")
    expect(e.audit is not None, "no audit.json")
    expect(e.audit["predicate"]["verdict"]["code"] == case.verdict, "the audit has another verdict")
    if case.by_init is not None:
        expect(e.record is not None, "no record")
        expect(e.stage["crosscheck"] == "agree", f"crosscheck: {e.stage['crosscheck']}")
        cause = e.cause
        expect(cause["by_init"] is case.by_init, f"by_init is {cause['by_init']}: {cause}")
        if case.by_init:
            expect(cause["verdict"] == case.verdict, f"cause {cause}")
        if case.verdict == "FORBIDDEN_SYSCALL":
            expect("SIGKILL" in cause["proof"], f"no SIGKILL in the proof: {cause}")
        elif case.by_init:
            expect(cause["limit"] is not None and cause["observed"] is not None and cause["unit"], f"no numbers: {cause}")
            expect(cause["observed"] >= cause["limit"], f"observed below the limit: {cause}")
        if case.ended is not None:
            expect(e.record["exit"] == case.ended, f"exit {e.record['exit']}, expected {case.ended}")
        for name, stream in e.record["logs"].items():
            expect(stream["bytes"] == stream["kept"] + stream["dropped"], f"{name}: {stream}")
            expect(len(e.log(name)) == stream["kept"], f"logs/{name} has {len(e.log(name))} bytes, kept {stream['kept']}")
        if case.survivors is not None:
            expect(e.record["survivors"] == case.survivors, f"survivors {e.record['survivors']}")
    for note in case.notes:
        expect(note in e.answer["notes"], f"no note {note}: {e.answer['notes']}")
    e.verify()
    words = case.check(e) if case.check else None
    return f"{e.summary()}{'; ' + words if words else ''}"
