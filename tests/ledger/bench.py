"""A small task, a submission of busybox, homes of their own, and scorer-host called on them."""
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.realpath(os.environ.get("PROCTOR_OUT") or os.path.join(HERE, "../../build/out"))
SCORER = os.environ.get("SCORER_HOST") or os.path.join(OUT, os.uname().machine, "scorer-host")
BOUND = 60  # no test waits longer for anything
TABLE = "id,p\na,0.1\nb,0.7\nc,0.4\nd,0.9\n"
TASK = """name: small
version: "1"
submission: image
input: [{path: input, at: /input}]
id: [id]
truth: truth.csv
output: {table: predictions.csv}
columns: [{name: p, type: number, min: 0, max: 1}]
metrics: [{name: AUROC, as: auroc, truth: y, positive: "1", from: p}]
selfcheck: [{table: known.csv, expect: [{metric: AUROC, value: "0.75"}]}]
limits: {wall-time: 60s, memory: 128MiB, output-bytes: 1MiB}
"""
GOOD = ("/bin/cp", "/input/answer.csv", "/output/predictions.csv")


class Result:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out.decode(), err.decode()
        self.first = self.out.split("\n", 1)[0].split()
        self.verdict = self.first[0] if self.first else None
        self.evidence = next((line.split()[1] for line in self.out.splitlines() if line.split()[:1] == ["evidence"]), None)

    def json(self):
        return json.loads(self.out)

    def __str__(self):
        return f"status {self.status}: {self.out!r} {self.err!r}"


class Bench:
    def __init__(self):
        os.makedirs(OUT, exist_ok=True)
        self.folder = tempfile.mkdtemp(prefix="ledger-", dir=OUT)
        self.task, self.rootfs = os.path.join(self.folder, "task"), os.path.join(self.folder, "rootfs")
        self.home = os.path.join(self.folder, "home")
        os.makedirs(os.path.join(self.task, "input"))
        for name, text in {"task.yaml": TASK, "truth.csv": "id,y\na,0\nb,0\nc,1\nd,1\n", "known.csv": TABLE,
                           "input/answer.csv": TABLE}.items():
            with open(os.path.join(self.task, name), "w", encoding="ascii") as file:
                file.write(text)
        subprocess.run([os.path.join(HERE, "../tasks/busybox-rootfs"), self.rootfs], check=True)

    def new_home(self, name):
        self.home = os.path.join(self.folder, name)
        return self.home

    def argv(self, *words):
        return [SCORER, words[0], "--home", self.home, *words[1:]]

    def call(self, *words, wrap=()):
        done = subprocess.run([*wrap, *self.argv(*words)], stdin=subprocess.DEVNULL, capture_output=True, check=False,
                              timeout=BOUND)
        return Result(done.returncode, done.stdout, done.stderr)

    def run_words(self, submission, *more, command=GOOD, rootfs=None, task=None):
        name = ("--submission", submission) if submission else ()
        return ("run", "--task", task or self.task, "--rootfs", rootfs or self.rootfs, *name, *more, "--", *command)

    def run(self, submission, *more, wrap=(), **options):
        return self.call(*self.run_words(submission, *more, **options), wrap=wrap)

    def start(self, submission, *more, **options):
        return subprocess.Popen(self.argv(*self.run_words(submission, *more, **options)), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def runs(self, *words):
        done = self.call("runs", "--json", *words)
        equal(done.status, 0, done)
        return done.json()

    def holds(self):
        done = self.call("runs", "--verify")
        equal((done.status, done.verdict), (0, "HOLDS"), done)

    def remove(self):
        shutil.rmtree(self.folder)


def finish(process):
    out, err = process.communicate(timeout=BOUND)
    return Result(process.returncode, out, err)


def candidate(process, token):
    """Waits for the candidate with that word in its command line: its pid and init's. Ends when the scorer does."""
    handle = os.pidfd_open(process.pid)
    try:
        while not select.select([handle], [], [], 0.01)[0]:
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{pid}/cmdline", "rb") as file:
                        words = file.read()
                    if not words.startswith(b"/bin/sh\0") or token.encode() not in words:
                        continue
                    with open(f"/proc/{pid}/stat", encoding="latin-1") as file:
                        parent = int(file.read().rsplit(")", 1)[1].split()[1])
                    with open(f"/proc/{parent}/cmdline", "rb") as file:
                        if file.read().startswith(b"/.proctor/init\0"):
                            return int(pid), parent
                except OSError:
                    continue
    finally:
        os.close(handle)
    raise AssertionError(f"the scorer ended before the candidate was seen: {process.communicate()}")


def stay(token):
    return ("/bin/sh", "-c", f"sleep 600; : {token}")


def interrupt(process):
    process.send_signal(signal.SIGINT)
    return finish(process)


def equal(got, wanted, what=""):
    assert got == wanted, f"got {got!r}, not {wanted!r}: {what}"


def main(tests):
    """Runs every test on a bench of its own, and names those that fail."""
    if os.geteuid() != 0:
        print("needs root for containers")
        sys.exit(77)
    failed = 0
    for test in tests:
        bench = Bench()
        try:
            test(bench)
            print("ok", test.__name__)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print("FAIL", test.__name__)
            traceback.print_exc(file=sys.stdout)
        finally:
            bench.remove()
    sys.exit(1 if failed else 0)
