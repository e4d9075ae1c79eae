#!/usr/bin/env python3
"""What check says of a task that is not right yet: the file at fault, the line, the id, the label, and all that does not hold."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../ledger"))
from bench import TABLE, TASK, equal, main  # noqa: E402

TRUTH = "id,y\na,0\nb,0\nc,1\nd,1\n"
BOTH = TASK.replace("metrics: [", 'metrics: [{name: accuracy, as: accuracy, truth: y, positive: "1", from: p, threshold: 0.3}, ')


def put(bench, name, text):
    with open(os.path.join(bench.task, name), "w", encoding="latin-1") as file:
        file.write(text)


def refused(bench, verdict, *words, without=()):
    bench.argv = lambda *words: [type(bench).argv(bench, *words)[0], *words]
    done = bench.call("check", bench.task)
    equal((done.status, done.verdict), (4, verdict), done)
    for word in words:
        assert word in done.out, (word, done.out)
    for word in without:
        assert word not in done.out, (word, done.out)
    return done


def kinds_of_metrics(bench):
    """A typo is told as one, with the line and the names that there are."""
    for name in ("AUROC", "rmes", "Accuracy"):
        put(bench, "task.yaml", TASK.replace("as: auroc", "as: " + name))
        refused(bench, "TASK_INVALID", f'metrics[1].as (line 9): "{name}"', "expected one of", " auroc,", " accuracy,",
                without=("cannot honour",))


def the_file_at_fault(bench):
    """The self-check's own table is named, not the candidate's, and the id that is missing or too many."""
    for text, words in ((TABLE.replace("c,0.4\n", ""), ('1 id asked for is not in known.csv; first: "c", row 4 of truth.csv',)),
                        (TABLE + "z\x1b,1\n", ("1 row of known.csv has an id that is not asked for", r'"z\x1b" in row 6')),
                        (TABLE + "a,1\n", ("1 row of known.csv repeats an id", 'row 6 has the id of row 2, "a"')),
                        (TABLE.replace("id,p", "id,q"), ("known.csv: row 1", "\"q\" is a column that the task does not have"))):
        put(bench, "known.csv", text)
        refused(bench, "SELFCHECK_FAILED", *words, without=("predictions.csv",))
    os.unlink(os.path.join(bench.task, "known.csv"))
    refused(bench, "TASK_INVALID", "known.csv: No such file")


def ids_of_several_columns(bench):
    put(bench, "task.yaml", TASK.replace("id: [id]", "id: [id, slice]"))
    put(bench, "truth.csv", "id,slice,y\na,1,0\nb,1,0\nb,2,1\nd,1,1\n")
    put(bench, "known.csv", "id,slice,p\na,1,0.1\nb,1,0.7\nd,1,0.9\n")
    refused(bench, "SELFCHECK_FAILED", 'first: "b", "2", row 4 of truth.csv')


def the_truths_own_fault(bench):
    """A column or a label that the truth lacks is no fault of a table."""
    put(bench, "task.yaml", TASK.replace("id: [id]", "id: [been]"))
    refused(bench, "TASK_INVALID", "truth.csv: row 1, column been", without=("known.csv",))
    for metric in ("as: auroc, truth: y, positive: drak, from: p", "as: accuracy, truth: y, positive: drak, from: p, threshold: 0.5"):
        put(bench, "task.yaml", TASK.replace('as: auroc, truth: y, positive: "1", from: p', metric))
        refused(bench, "TASK_INVALID", 'metric AUROC: no row of truth.csv has "drak", its positive label, in column y')
    put(bench, "task.yaml", TASK)
    put(bench, "truth.csv", "id,y\na,0\nb,0\nc,0\nd,0\n")
    refused(bench, "TASK_INVALID", 'no row of truth.csv has "1"')
    run = bench.run(None, "--home", bench.home)
    equal((run.status, run.verdict), (4, "TASK_INVALID"), run)


def all_at_once(bench):
    """A new task: 0.0000 everywhere, and check says what to write, to the last digit."""
    expect = 'expect: [{metric: AUROC, value: "0.0000"}, {metric: accuracy, value: "0.00"}]'
    put(bench, "task.yaml", BOTH.replace('expect: [{metric: AUROC, value: "0.75"}]',
                                         expect + "}, {table: again.csv, " + expect))
    put(bench, "again.csv", TABLE.replace("b,0.7", "b,0.3"))
    put(bench, "truth.csv", TRUTH + "e,0\nf,1\ng,1\n")
    for name in ("known.csv", "again.csv"):
        with open(os.path.join(bench.task, name), encoding="ascii") as file:
            text = file.read()
        put(bench, name, text + "e,0.1\nf,0.8\ng,0.2\n")
    done = refused(bench, "SELFCHECK_FAILED", "known.csv: AUROC expected 0.0000, got 0.8333 (exactly 0.8333333333333334)",
                   "known.csv: accuracy expected 0.00, got 0.71 (exactly 0.7142857142857143)", "again.csv: AUROC expected",
                   "again.csv: accuracy expected")
    equal(sum("got 0." in line for line in done.out.splitlines()), 4, done)


def yaml_itself(bench):
    put(bench, "task.yaml", TASK.replace("limits: {", "limits:\n\t{"))
    refused(bench, "TASK_INVALID", "task.yaml: line 12: not YAML", "not tabs")


def what_was_not_compared(bench):
    """A file that is no text may hold the truth: it is named. An empty one holds nothing."""
    bench.argv = lambda *words: [type(bench).argv(bench, *words)[0], *words]
    done = bench.call("check", bench.task)
    assert done.status == 0 and "warning" not in done.out, done
    equal([bench.call("check", bench.task, "--json").json()["truth"][key] for key in ("opaque", "first_opaque")], [0, None])
    put(bench, "input/empty", "")
    put(bench, "input/labels.csv.gz", "\x1f\x8b\x08\0\0\0" * 9)
    done = bench.call("check", bench.task)
    equal((done.status, [line for line in done.out.splitlines() if "warning" in line]), (0, [
        f"  warning     no text, so nobody looked for the truth in it: {os.path.realpath(bench.task)}/input/labels.csv.gz"]), done)
    told = bench.call("check", bench.task, "--json").json()["truth"]
    equal((told["files"], told["compared"], told["opaque"]), (3, 1, 1), told)
    for n in range(4):
        put(bench, f"input/{n}\x1b[2J.bin", "\0\1")
    done = bench.call("check", bench.task)
    assert "and in 2 more files" in done.out and "\x1b" not in done.out, done
    equal(sum("nobody looked" in line for line in done.out.splitlines()), 3, done)


if __name__ == "__main__":
    main([kinds_of_metrics, the_file_at_fault, ids_of_several_columns, the_truths_own_fault, all_at_once, yaml_itself,
          what_was_not_compared])
