#!/usr/bin/env python3
"""What can never succeed here is told so, by check beforehand and by run: as usage, or as nothing that a retry helps."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../ledger"))
from bench import SCORER, Result, equal, main  # noqa: E402


def call(*words, user=None, scorer=SCORER):
    done = subprocess.run([scorer, *words], stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=60,
                          user=user, extra_groups=None if user is None else [])
    return Result(done.returncode, done.stdout, done.stderr)


def amend(bench, line):
    with open(os.path.join(bench.task, "task.yaml"), encoding="ascii") as file:
        text = file.read()
    for known in ("limits: {", "require: "):
        if line.startswith(known):
            text = "".join(one for one in text.splitlines(True) if not one.startswith(known))
    with open(os.path.join(bench.task, "task.yaml"), "w", encoding="ascii") as file:
        file.write(text + line + "\n")


def task_beyond_this_host(bench):
    """Sound on another host: check says 3 and why, run the same, and neither invites to try again."""
    for line, word in (("limits: {memory: 900TiB}", "memory 900TiB"), ("limits: {cpus: 4000}", "cpus 4000"),
                       ("require: [gpu]", "gpu"), ("require: [image-digest]", "image-digest")):
        amend(bench, "limits: {wall-time: 60s}")
        amend(bench, line)
        done = call("check", bench.task)
        equal((done.status, done.verdict), (3, "REQUIRE_UNMET"), done)
        assert "is sound" in done.out and "would be refused here" in done.out and word in done.out, done
        told = call("check", bench.task, "--json").json()
        equal((told["exit"], told["verdict"], told["host"]["fits"]), (3, "REQUIRE_UNMET", False), told)
        assert word in told["cause"] and told["hint"], told
        run = bench.run(None)
        equal((run.status, run.verdict), (3, "REQUIRE_UNMET"), run)
        assert word in run.out, run
        told = bench.run(None, "--json").json()
        equal((told["exit"], told["retry"]), (3, False), told)
        assert word in told["operator"], told


def typed_beyond_this_host(bench):
    for more, word in ((("--limit", "gpus=1"), "--limit gpus=1"), (("--limit", "cpus=4000"), "--limit cpus=4000"),
                       (("--limit", "memory=900TiB"), "--limit memory=900TiB"), (("--init", "/bin/true"), "--init /bin/true"),
                       (("--init", "/dev/null"), "--init /dev/null"), (("--init", "/nope"), "--init /nope"),
                       (("--engine", "nope"), "--engine nope")):
        run = bench.run(None, *more)
        equal((run.status, run.out), (2, ""), run)
        assert word in run.err, run
        told = bench.run(None, "--json", *more).json()
        equal((told["exit"], told["verdict"], told["retry"]), (2, None, False), told)
    assert not os.path.exists(bench.home) or os.listdir(os.path.join(bench.home, "runs")) == [], "a run was begun"


def no_home(bench):
    bench.home = "/dev/null/x"
    run = bench.run(None)
    assert run.status == 2 and "/dev/null/x: Not a directory" in run.err, run
    equal(bench.run(None, "--json").json()["retry"], False)


def not_root(bench):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for name in ("scorer-host", "proctor-init"):
            os.chmod(shutil.copy(os.path.join(os.path.dirname(SCORER), name), folder), 0o755)
        task = os.path.join(folder, "task")
        shutil.copytree(bench.task, task)
        scorer = os.path.join(folder, "scorer-host")
        done = call("run", "--task", task, "--rootfs", "/", "--json", "--", "/bin/true", user=65534, scorer=scorer)
        equal((done.status, done.json()["exit"], done.json()["retry"]), (2, 2, False), done)
        assert "needs root" in json.loads(done.out)["operator"], done
        done = call("check", task, user=65534, scorer=scorer)  # an organiser need not be root
        assert done.status == 0 and "needs root" in done.out, done
        for name in ("truth.csv", "input/answer.csv", "known.csv", "task.yaml"):
            os.chmod(os.path.join(task, name), 0o600)
            done = call("check", task, user=65534, scorer=scorer)
            equal((done.status, done.verdict), (4, "TASK_INVALID"), done)
            assert name in done.out and "Permission denied" in done.out and "may read" in done.out, done
            os.chmod(os.path.join(task, name), 0o644)


def no_init(bench):
    """A scorer-host without its proctor-init, or with another program of that name."""
    scorer = os.path.join(bench.folder, "scorer-host")
    shutil.copy(SCORER, scorer)
    for make in (lambda: None, lambda: shutil.copy("/bin/true", os.path.join(bench.folder, "proctor-init"))):
        make()
        done = call("check", bench.task, scorer=scorer)
        assert done.status == 3 and "proctor-init" in done.out and "--init PATH" in done.out, done
        done = call("run", "--home", bench.home, "--task", bench.task, "--rootfs", bench.rootfs, "--json", "--",
                    "/bin/true", scorer=scorer)
        equal((done.status, done.json()["verdict"], done.json()["retry"]), (3, "ENGINE_FAILED", False), done)


if __name__ == "__main__":
    main([task_beyond_this_host, typed_beyond_this_host, no_home, not_root, no_init])
