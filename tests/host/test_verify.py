#!/usr/bin/env python3
"""verify with the task at hand: what it blames, what it leaves alone, and what is no run at all."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../ledger"))
from bench import TABLE, equal, main  # noqa: E402

TWICE = ("/bin/sh", "-c", "(cat /input/answer.csv; tail -n 1 /input/answer.csv) >/output/predictions.csv")


def change(path, old, new):
    with open(path, encoding="ascii") as file:
        text = file.read()
    assert old in text, path
    with open(path, "w", encoding="ascii") as file:
        file.write(text.replace(old, new))


def nothing_to_recompute(bench):
    """The README's own line on runs that failed: they hold."""
    for command, verdict in ((("/bin/false",), "EXIT_NONZERO"), (("/bin/sh", "-c", "kill -9 $$"), "SIGNALED"),
                             (("/bin/true",), "OUTPUT_MISSING"), (("/nothing",), "EXEC_NOT_FOUND")):
        run = bench.run(None, command=command)
        equal((run.status, run.verdict), (1, verdict), run)
        done = bench.call("verify", run.evidence, "--task", bench.task)
        equal((done.status, done.verdict), (0, "HOLDS"), done)
        assert "nothing to recompute: this run ended before its table was read" in done.out, done
        done = bench.call("verify", run.evidence, "--task", bench.task, "--json")
        equal((done.status, done.json()["levels"]["recomputed"]), (0, "nothing to check"), done)


def score_or_verdict(bench):
    run = bench.run(None)
    done = bench.call("verify", run.evidence, "--task", bench.task)
    assert done.status == 0 and "the stored score again" in done.out, done
    run = bench.run(None, command=TWICE)
    equal(run.verdict, "TABLE_DUPLICATE", run)
    done = bench.call("verify", run.evidence, "--task", bench.task)
    assert done.status == 0 and "the stored verdict again" in done.out, done


def limit_of_the_command_line(bench):
    """A table that fits only by --limit scores again by that limit."""
    change(os.path.join(bench.task, "task.yaml"), "output-bytes: 1MiB", "output-bytes: 64KiB")
    grow = "cat /input/answer.csv >/output/predictions.csv; seq 20000 >>/output/predictions.csv"
    run = bench.run(None, "--limit", "output-bytes=1MiB", command=("/bin/sh", "-c", grow))
    equal(run.verdict, "TABLE_FORMAT", run)
    done = bench.call("verify", run.evidence, "--task", bench.task)
    equal(done.status, 0, done)


def another_task(bench):
    run = bench.run(None)
    truth, given = os.path.join(bench.task, "truth.csv"), os.path.join(bench.task, "input/answer.csv")
    for path, name, old, new in ((truth, "truth.csv", "a,0", "a,1"), (given, "input/answer.csv", "a,0.1", "a,0.2"),
                                 (os.path.join(bench.task, "task.yaml"), "task.yaml", "60s", "61s")):
        change(path, old, new)
        done = bench.call("verify", run.evidence, "--task", bench.task)
        equal((done.status, done.verdict), (3, "UNCHECKED"), done)
        assert "another than the run's" in done.out and name in done.out and "score.json" not in done.out, done
        change(path, new, old)
    os.unlink(given)
    done = bench.call("verify", run.evidence, "--task", bench.task)
    assert done.status == 3 and "answer.csv: in task.lock, but not among" in done.out, done
    with open(given, "w", encoding="ascii") as file:
        file.write(TABLE)
    os.chmod(given, 0o600)  # whom the candidate's uid could not read may still be compared
    done = bench.call("verify", run.evidence, "--task", bench.task)
    equal(done.status, 0, done)


def no_run(bench):
    for path, why in ((bench.folder, "not a run directory: no audit.json"), (os.path.join(bench.folder, "nope"), "No such"),
                      (os.path.join(bench.task, "task.yaml"), "Not a directory")):
        done = bench.call("verify", path)
        equal((done.status, done.out, len(done.err.splitlines())), (2, "", 1), done)
        assert why in done.err, done
        done = bench.call("verify", path, "--json")
        equal((done.status, done.json()["exit"]), (2, 2), done)
        assert why in done.json()["cannot"], done
    run = bench.run(None)
    done = bench.call("verify", run.evidence, "--task", os.path.join(bench.folder, "nope"))
    assert done.status == 2 and "--task" in done.err, done
    # A run that lost its statement is one still.
    os.unlink(os.path.join(run.evidence, "audit.json"))
    done = bench.call("verify", run.evidence)
    equal((done.status, done.verdict), (1, "BROKEN"), done)


def key_path(bench):
    run = bench.run(None)
    bench.argv = lambda *words: [type(bench).argv(bench, *words)[0], *words]  # no --home: found from the run
    done = bench.call("verify", run.evidence)
    equal(done.status, 0, done)
    assert f"of {os.path.realpath(bench.home)}/operator.pub" in done.out, done


if __name__ == "__main__":
    main([nothing_to_recompute, score_or_verdict, limit_of_the_command_line, another_task, no_run, key_path])
