"""What the tests of the real proctor-init share: starting it, and private pid namespaces for what signals or walks."""
import json
import os
import subprocess
import sys
import traceback

INIT = os.environ.get("PROCTOR_INIT") or os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "../../build/out", os.uname().machine, "proctor-init")
SELF_PID1 = ["unshare", "-p", "-f", "--mount-proc"]
BOUND = 60  # no test waits longer for anything


class Result:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err
        self.record = None


def run(*words, pid1=False, record=True, wrap=(), stdin=subprocess.DEVNULL, **options):
    """Runs proctor-init with these words; with record, its record comes back parsed."""
    read, write = os.pipe()
    argv = [*(SELF_PID1 if pid1 else []), *wrap, INIT]
    if record:
        argv += ["--record", f"fd:{write}"]
    try:
        p = subprocess.Popen([*argv, *words], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             pass_fds=[write] if record else [], **options)
        os.close(write)
        write = -1
        out, err = p.communicate(timeout=BOUND)
        result = Result(p.returncode, out, err)
        if record:
            text = b""
            while True:
                piece = os.read(read, 65536)
                if not piece:
                    break
                text += piece
            result.record = json.loads(text) if text else None
            if text:
                assert text.endswith(b"\n") and text.count(b"\n") == 1, "the record is not one line"
        return result
    finally:
        os.close(read)
        if write >= 0:
            os.close(write)


def shell(script, *options, **more):
    return run(*options, "--", "/bin/sh", "-c", script, **more)


def equal(got, wanted, what=""):
    assert got == wanted, f"{what}: got {got!r}, not {wanted!r}"


def verdict(result, name, status):
    equal((result.record["cause"]["verdict"], result.status), (name, status), f"verdict; stderr {result.err!r}")


def main(tests):
    """Runs every test, names those that fail, and skips all where this machine cannot make a namespace."""
    if os.geteuid() != 0:
        print("needs root for private pid namespaces")
        sys.exit(77)
    failed = 0
    for test in tests:
        try:
            test()
            print("ok", test.__name__)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print("FAIL", test.__name__)
            traceback.print_exc(file=sys.stdout)
    sys.exit(1 if failed else 0)
