#!/usr/bin/env python3
"""Mistakes on the command line: one or two lines, which name the option and what would do; -h is help everywhere."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../ledger"))
from bench import SCORER, Result, equal, main  # noqa: E402

COMMANDS = ("run", "score", "check", "runs", "show", "verify", "keygen")


def call(*words):
    done = subprocess.run([SCORER, *words], stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=60)
    return Result(done.returncode, done.stdout, done.stderr)


def helped(_):
    for words in [()] + [(command,) for command in COMMANDS]:
        for flag in ("-h", "--help"):
            done = call(*words, flag)
            assert done.status == 0 and done.out.startswith("usage: scorer-host") and "exit status" in done.out, done
            equal(done.err, "", done)


def short(_):
    for command in COMMANDS:
        for words in (("--bogus",), ("--bogus", "--bogus"), ("a", "b", "--bogus")):
            done = call(command, *words)
            assert done.status == 2 and done.out == "" and 1 <= len(done.err.splitlines()) <= 2, (command, words, str(done))
    for command in ("show", "verify", "check"):
        done = call(command)
        assert done.status == 2 and len(done.err.splitlines()) <= 2 and "missing" in done.err, done


def limits_and_names(bench):
    for value, word in (("walltime=5s", "wall-time"), ("walltime", "expected NAME=VALUE"), ("wall-time=5", "a time such as"),
                        ("memory=5s", "a size such as"), ("processes=2.5", "a whole number"), ("cpus=x", "a number such as"),
                        ("memory=1KiB", "out of range, 64MiB to")):
        done = bench.run(None, "--limit", value)
        assert done.status == 2 and f"--limit {value}:" in done.err and word in done.err, done
    done = bench.run(None, "--limit", "memory=64MiB", "--limit", "memory=65MiB")
    assert "memory is given twice" in done.err, done
    for name in ("a b", "a", "/1", "a/b", "a/"):
        done = bench.run(name)
        assert done.status == 2 and f"--submission {name}: not of the form WHO/N" in done.err, done


def keys(bench):
    for name, public in (("k.pem", "k.pub"), ("l.key", "l.pub"), ("m", "m.pub"), ("n.pem.x", "n.pem.x.pub")):
        done = call("keygen", "--out", os.path.join(bench.folder, name))
        equal(done.status, 0, done)
        assert os.path.exists(os.path.join(bench.folder, public)) and public in done.out, done
    equal(call("keygen", "--out", os.path.join(bench.folder, "k.pem")).status, 2)


def not_found(bench):
    """The hint names the places where a command can come from, and none that is not there."""
    done = bench.run(None, command=("/nothing",))
    equal((done.status, done.verdict), (1, "EXEC_NOT_FOUND"), done)
    assert "after --" in done.out and "command:" in done.out and "are not known here" in done.out, done


def rootfs_helps(_):
    tool = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tasks/busybox-rootfs")
    done = subprocess.run([tool, "--help"], capture_output=True, check=False, text=True)
    assert done.returncode == 0 and done.stdout.startswith("usage:") and not os.path.exists("--help"), done
    equal(subprocess.run([tool, "--bogus"], capture_output=True, check=False).returncode, 2)


if __name__ == "__main__":
    main([helped, short, limits_and_names, keys, not_found, rootfs_helps])
