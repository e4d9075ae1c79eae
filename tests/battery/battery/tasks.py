"""Tasks at fault: found before a candidate runs, and never held against it."""

import os
import subprocess

from battery.case import Case
from battery.evidence import expect

TABLE = ("/battery/ends", "table")
GOOD = "a,0.9\nb,0.8\nc,0.2\nd,0.1\n"
STATUS = {"SCORED": 0, "METRIC_UNDEFINED": 1, "REQUIRE_UNMET": 3}


def _write(task, name, text):
    with open(os.path.join(task, name), "w", encoding="ascii", newline="") as file:
        file.write(text)


def _append(task, text):
    with open(os.path.join(task, "task.yaml"), "a", encoding="ascii") as file:
        file.write(text)


def _selfchecks(task, text):
    path = os.path.join(task, "task.yaml")
    with open(path, encoding="ascii") as file:
        old = file.read()
    head, tail = old.split("selfcheck:\n")
    limits = tail[tail.index("limits:"):]
    with open(path, "w", encoding="ascii") as file:
        file.write(f"{head}selfcheck:\n{text}{limits}")


def case(name, verdict, change, words=""):
    """change(task folder) makes the fault; the run must end in the verdict and name `words`."""

    def drive(bench):
        task = bench.copy_task(name)
        change(task)
        e = bench.run(TABLE, task=task)
        expect(e.verdict == verdict, f"{e.verdict}, expected {verdict}: {e.words}")
        expect(e.status == STATUS.get(verdict, 4), f"exit {e.status}")
        expect(words in e.words, f"{words!r} is not named: {e.words}")
        if e.folder:
            e.verify()
        return verdict, e.words

    return Case(name, drive=drive)


def _one_class(task):
    _write(task, "truth.csv", "id,label\na,yes\nb,yes\nc,yes\nd,yes\n")
    _selfchecks(task, "  - {table: selfcheck/good.csv, verdict: METRIC_UNDEFINED}\n")


def _too_large(task):
    _write(task, "selfcheck/large.csv", "id,p\n" + GOOD + "x" * 300000)
    _selfchecks(task, "  - {table: selfcheck/large.csv, verdict: TABLE_TOO_LARGE}\n")


def _recoded(task):
    """Other names for column and labels, another order; enough rows for it to be no accident."""
    rows = [(f"r{i}", "yes" if i % 3 else "no") for i in range(12)]
    _write(task, "truth.csv", "id,label\n" + "".join(f"{i},{label}\n" for i, label in rows))
    _write(task, "input/test.csv", "size,id,y\n" + "".join(f"7,{i},{int(label == 'yes')}\n" for i, label in rows[::-1]))
    _selfchecks(task, "  - {table: selfcheck/good.csv, verdict: TABLE_UNKNOWN}\n")


def _lock(task):
    digest = "0" * 64
    done = subprocess.run(["sha256sum", "task.yaml", "input/hello.txt", "truth.csv"], cwd=task, check=True, capture_output=True,
                          text=True)
    _write(task, "task.lock", done.stdout.replace(done.stdout.splitlines()[1][:64], digest))


CASES = [
    case("37-selfcheck-failed", "SELFCHECK_FAILED",
         lambda task: _write(task, "selfcheck/good.csv", "id,p\n" + GOOD.replace("0.9", "0.1")), "selfcheck/good.csv"),
    case("37-truth-changed", "SELFCHECK_FAILED",
         lambda task: _write(task, "truth.csv", "id,label\na,no\nb,yes\nc,no\nd,no\n"), "selfcheck/good.csv"),
    case("task-invalid", "TASK_INVALID", lambda task: _append(task, "surprise: 1\n"), "surprise"),
    case("task-later-key", "TASK_INVALID", lambda task: _append(task, "method: sealed-execution@1.0.0\n"), "method"),
    case("38-truth-in-input", "TRUTH_EXPOSED",
         lambda task: _write(task, "input/copy.csv", "id,label\na,yes\nb,yes\nc,no\nd,no\n"), "copy.csv"),
    case("38-truth-crlf", "TRUTH_EXPOSED",
         lambda task: _write(task, "input/copy.csv", "id,label\r\na,yes\r\nb,yes\r\nc,no\r\nd,no\r\n"), "copy.csv"),
    case("38-truth-as-a-column", "TRUTH_EXPOSED",
         lambda task: _write(task, "input/test.csv", "id,size,label\nd,4,no\na,1,yes\nb,2,yes\nc,3,no\n"), "test.csv"),
    case("38-truth-recoded", "TRUTH_EXPOSED", _recoded, "test.csv"),
    case("lock-mismatch", "ASSET_MISMATCH", _lock, "input/hello.txt"),
    case("require-unmet", "REQUIRE_UNMET", lambda task: _append(task, "require: [gpu]\n"), "gpu"),
    case("32-metric-undefined", "METRIC_UNDEFINED", _one_class, "AUROC"),
    case("table-too-large", "SCORED", _too_large),
]
