#!/usr/bin/env python3
"""What --json prints: numbers as short as they can be, no id that leads nowhere, and an object for a refusal too."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../ledger"))
from bench import equal, main  # noqa: E402


def shortest(bench):
    """Three of seven pairs in order: 17 digits would be 0.42857142857142855 all the same, 0.8 would not."""
    for name, text in (("truth.csv", "id,y\na,0\nb,0\nc,1\nd,0\ne,0\nf,0\n"),
                       ("known.csv", "id,p\na,0.9\nb,0.1\nc,0.5\nd,0.1\ne,0.2\nf,0.3\n")):
        with open(os.path.join(bench.task, name), "w", encoding="ascii") as file:
            file.write(text)
    with open(os.path.join(bench.task, "task.yaml"), encoding="ascii") as file:
        task = file.read().replace('value: "0.75"', 'value: "0.8"')
    with open(os.path.join(bench.task, "task.yaml"), "w", encoding="ascii") as file:
        file.write(task)
    with open(os.path.join(bench.task, "input/answer.csv"), "w", encoding="ascii") as file:
        file.write("id,p\na,0.9\nb,0.1\nc,0.5\nd,0.1\ne,0.2\nf,0.3\n")
    done = bench.run("team07/1", "--json")
    assert done.status == 0 and '"value":0.8,' in done.out or '"value":0.8}' in done.out, done
    equal(len(done.out.splitlines()), 1, done)
    again = bench.run("team07/1", "--json")
    equal(again.json()["metrics"], done.json()["metrics"], again)
    assert '"value":0.8' in again.out and "0.80" not in again.out, again


def no_run_no_id(bench):
    for done in (bench.run(None, "--json", task=os.path.join(bench.folder, "nope")),
                 bench.run(None, "--json", "--limit", "wall-time=5"), bench.run(None, "--json", "--nope")):
        told = done.json()
        equal((done.status, told["run"], told["participant"]["run"], told["evidence"]), (2, None, None, None), done)
    done = bench.run(None, "--json", command=("/bin/false",))
    equal(done.json()["run"], done.json()["participant"]["run"])
    assert done.json()["run"], done


def check_refuses_in_it(bench):
    bench.argv = lambda *words: [type(bench).argv(bench, *words)[0], *words]
    for words in (("check", "--json"), ("check", "--json", "--nope"), ("check", "a", "b", "--json"),
                  ("check", "--json", os.path.join(bench.folder, "nope"))):
        done = bench.call(*words)
        told = done.json()
        equal((done.status, told["exit"], told["verdict"]), (2, 2, None), done)
        assert told["cause"], done
    done = bench.call("check")
    assert done.status == 2 and not done.out and len(done.err.splitlines()) <= 2, done


if __name__ == "__main__":
    main([shortest, no_run_no_id, check_refuses_in_it])
