#!/usr/bin/env python3
"""What the block on stdout tells: where a failed candidate's words are, and which layers do not hold."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../ledger"))
from bench import equal, main  # noqa: E402


def lines(done, label):
    return [line.split(None, 1)[1] for line in done.out.splitlines() if line.split()[:1] == [label]]


def where_the_words_are(bench):
    """Path and size of what a failed candidate wrote; never the words themselves, and nothing for a scored one."""
    shout = "printf 'abc\\033[2Jd'; printf 'secret' >&2; "
    for end, verdict in (("exit 3", "EXIT_NONZERO"), ("kill -9 $$", "SIGNALED"), ("exit 0", "OUTPUT_MISSING"),
                         ("echo id >/output/predictions.csv", "TABLE_COLUMNS")):
        done = bench.run(None, command=("/bin/sh", "-c", shout + end))
        equal((done.status, done.verdict), (1, verdict), done)
        equal(lines(done, "logs"), [f"{done.evidence}/logs/stdout (8 bytes)", f"{done.evidence}/logs/stderr (6 bytes)"], done)
        assert "\033" not in done.out and "secret" not in done.out, done
        for line in lines(done, "logs"):
            assert os.path.getsize(line.split()[0]) == int(line.split("(")[1].split()[0]), line
    done = bench.run(None, command=("/bin/false",))
    equal(lines(done, "logs"), ["it wrote nothing to stdout or stderr"], done)
    equal(lines(bench.run(None, command=("/nothing",)), "logs"), ["it wrote nothing to stdout or stderr"])
    equal(lines(bench.run(None), "logs"), [])


def layers(bench):
    """How many hold; by name those that do not hold in full."""
    done = bench.run(None)
    equal(len(lines(done, "sealed")), 1, done)
    listed = bench.run(None, "--json").json()["layers"]
    asked = [layer["name"] for layer in listed if layer["state"] != "off"]
    weak = [layer["name"] for layer in listed if layer["state"] not in ("enforced", "by-engine")]
    left = len(asked) - len([name for name in weak if name in asked])
    wanted = f"all {left} layers" if left == len(asked) else f"{left} of {len(asked)} layers"
    assert lines(done, "sealed")[0].startswith(wanted), done
    for layer in listed:
        assert (layer["name"] in lines(done, "sealed")[0]) == (layer["name"] in weak), (layer, done.out)
    equal(len(lines(done, "method")), 1, done)
    done = bench.run(None, "--limit", "cpu-time=60s")
    assert "cpu-time" not in lines(done, "sealed")[0], done


def refused(bench):
    done = bench.run(None, command=("/bin/sh", "-c", "mkfifo /output/pipe; cp /input/answer.csv /output/predictions.csv"))
    assert "refused-files: 1 in /output, the first: pipe (fifo)" in done.out, done


if __name__ == "__main__":
    main([where_the_words_are, layers, refused])
