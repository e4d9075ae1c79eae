"""Cases that reach into a run from the host: init or the scorer is killed, two runs at once."""

import hashlib
import os
import select
import shutil
import signal
import subprocess
import threading
import uuid

from battery.bench import left_behind
from battery.case import Case, judge, scored
from battery.evidence import Broken, Evidence, expect

STAY = ("/battery/ends", "stay")


def _candidate(process, token):
    """Waits for the candidate with that word on its command line; its pid. Ends when the scorer does."""
    handle = os.pidfd_open(process.pid)
    try:
        while not select.select([handle], [], [], 0.01)[0]:
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{pid}/cmdline", "rb") as file:
                        words = file.read().split(b"\0")
                except OSError:
                    continue
                if words[:1] == [b"/battery/ends"] and token.encode() in words:
                    return int(pid)
    finally:
        os.close(handle)
    raise Broken(f"the scorer ended before the candidate was seen: {process.communicate()}")


def _parent(pid):
    """init's pid, by its command line too: these cases send it signals as root."""
    with open(f"/proc/{pid}/stat", encoding="latin-1") as file:
        parent = int(file.read().rsplit(")", 1)[1].split()[1])
    with open(f"/proc/{parent}/cmdline", "rb") as file:
        words = file.read().split(b"\0")
    expect(words[0] == b"/.proctor/init", f"the candidate's parent is {words}")
    return parent


def _await_end(handle, who):
    expect(select.select([handle], [], [], 30)[0], f"{who} is still there")
    os.close(handle)


def _started(bench, **more):
    token = uuid.uuid4().hex
    process = bench.start((*STAY, token), **more)
    return process, _candidate(process, token)


def _files(folder):
    found = {}
    for top, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(top, name)
            with open(path, "rb") as file:
                found[path] = hashlib.sha256(file.read()).hexdigest()
    return found


def _init_killed(bench):
    process, pid = _started(bench, limits={"wall-time": "10m"})
    handle = os.pidfd_open(pid)
    os.kill(_parent(pid), signal.SIGKILL)
    e = bench.finish(process)  # long before the wall limit, or it counts as hanging
    _await_end(handle, "the candidate")
    judge(Case("", verdict="RECORD_MISSING"), e)
    expect(e.stage["record"] is None, "there is a record")
    return e.verdict, f"at once, exit {e.status}: {e.words}"


def _init_stopped(bench):
    """A stopped init says nothing; the host's own deadline ends the run, and is the proof that it passed its limit."""
    process, pid = _started(bench, limits={"wall-time": "300ms"})
    os.kill(_parent(pid), signal.SIGSTOP)
    e = bench.finish(process)
    judge(Case("", verdict="WALL_TIME"), e)
    return e.verdict, f"by the host's own deadline: {e.words}"


def _cancelled(bench):
    process, pid = _started(bench, limits={"wall-time": "10m"})
    handle = os.pidfd_open(pid)
    process.send_signal(signal.SIGINT)
    e = bench.finish(process)
    _await_end(handle, "the candidate")
    expect(e.verdict == "CANCELLED" and e.status == 130, f"{e.verdict}, exit {e.status}")
    e.verify()
    return e.verdict, "exit 130"


def _scorer_killed(bench):
    mine = bench.beside("killed")
    process, pid = _started(mine, limits={"wall-time": "10m"})
    handle, init = os.pidfd_open(pid), os.pidfd_open(_parent(pid))
    process.kill()
    process.communicate()
    _await_end(handle, "the candidate")
    _await_end(init, "init")
    case = scored("", "/battery/ends", "table")
    e = mine.run(case.command)
    judge(case, e)
    runs = os.path.dirname(e.folder)
    other = [name for name in os.listdir(runs) if os.path.join(runs, name) != e.folder]
    expect(len(other) == 1, f"run folders besides: {other}")
    folder = os.path.join(runs, other[0])
    lost = Evidence(mine.scorer, 3, '{"verdict":"INFRA_SCORER_LOST","evidence":"%s"}' % folder, "")
    expect(lost.audit is not None, f"the lost run was not closed: {os.listdir(folder)}")
    code = lost.audit["predicate"]["verdict"]["code"]
    expect(code == "INFRA_SCORER_LOST", f"closed as {code}")
    lost.verify()
    left = [x for x in left_behind(bench.folder) if any(run in x for run in os.listdir(runs)) or mine.home in x]
    expect(not left, f"left: {left}")
    return "INFRA_SCORER_LOST", "the tree was gone with the scorer, the next run closed it and nothing is left"


def _second_run(bench):
    mine = bench.beside("second")
    case = scored("", "/battery/ends", "table")
    first = mine.run(case.command)
    judge(case, first)
    before = _files(first.folder)
    hostile = mine.run(("/battery/processes", "bomb"))
    expect(hostile.verdict == "PROCESSES", hostile.verdict)
    second = mine.run(case.command)
    judge(case, second)
    expect(_files(first.folder) == before, "the first run's folder changed")
    expect(first.read("score.json") == second.read("score.json"), "the same table gave other bytes")
    first.verify()
    return "SCORED", "first run's bytes unchanged, same score.json"


def _two_at_once(bench):
    """Each run has a uid of its own: one cannot eat the other's processes."""
    process, pid = _started(bench, limits={"wall-time": "10m"})
    try:
        uid = os.stat(f"/proc/{pid}").st_uid
        other, other_pid = _started(bench, limits={"wall-time": "10m"})
        other_uid = os.stat(f"/proc/{other_pid}").st_uid
        other.send_signal(signal.SIGINT)
        bench.finish(other)
        expect(uid != other_uid and 0 not in (uid, other_uid), f"uids {uid} and {other_uid}")
        e = bench.run(("/battery/processes", "bomb"))
        expect(e.verdict == "PROCESSES", e.verdict)
        expect(os.path.exists(f"/proc/{pid}"), "the first run was hit")
    finally:
        process.send_signal(signal.SIGINT)
        bench.finish(process)
    return "CANCELLED PROCESSES", f"uids {uid} and {other_uid}"


def _tampered(bench):
    """One byte of any file of a run directory changed: verify names it."""
    e = bench.run(("/battery/ends", "table"))
    names = sorted(os.path.relpath(path, e.folder) for path in _files(e.folder))
    for name in names:
        data = e.read(name)
        if not data:
            continue
        with open(e.path(name), "r+b") as file:
            file.seek(len(data) // 2)
            file.write(bytes([data[len(data) // 2] ^ 1]))
        done = subprocess.run([bench.scorer, "verify", e.folder], capture_output=True, text=True, check=False, timeout=60)
        expect(done.returncode != 0, f"{name}: a changed byte passes")
        expect(name in done.stdout + done.stderr, f"{name} is not named: {done.stdout}{done.stderr}")
        with open(e.path(name), "wb") as file:
            file.write(data)
    e.verify()
    return "SCORED", f"{len(names)} files: {' '.join(names)}"


def _init_mode(bench):
    """The private copy of init can be run and cannot be written by a candidate, whatever its uid."""
    process, pid = _started(bench, limits={"wall-time": "10m"})
    try:
        status = os.stat(f"/proc/{_parent(pid)}/exe")
        expect(status.st_mode & 0o7777 == 0o555 and status.st_uid == 0, f"mode {status.st_mode:o}, uid {status.st_uid}")
        expect(status.st_ino != os.stat(os.environ["PROCTOR_INIT"]).st_ino, "it is the build's own file")
    finally:
        process.send_signal(signal.SIGINT)
        bench.finish(process)
    return "CANCELLED", "mode 0555, inode of its own"


def _usage(bench):
    done = subprocess.run(bench.argv(()), capture_output=True, text=True, check=False, timeout=60)
    expect(done.returncode == 2, f"exit {done.returncode}: {done.stdout} {done.stderr}")
    return "(usage)", "no command: exit 2, nothing was run"


def _disk_full(bench):
    """A home on a filesystem with no room: found before anything runs, and not the participant's fault."""
    mine = bench.beside("full")
    os.mkdir(mine.home)
    argv = mine.argv(("/battery/ends", "table"))
    script = 'mount -t tmpfs -o size=4m none "$1" && shift && exec "$@"'
    done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", mine.home, *argv], capture_output=True, text=True,
                          check=False, timeout=60)
    e = Evidence(bench.scorer, done.returncode, done.stdout, done.stderr)
    expect(e.verdict == "INFRA_DISK" and e.status == 3, f"{e.verdict}, exit {e.status}: {e.words}")
    return e.verdict, e.words


def _engine_missing(bench):
    script = 'mount --bind /dev/null "$(command -v runc)" && exec "$@"'
    done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", *bench.argv(("/battery/ends", "table"))],
                          capture_output=True, text=True, check=False, timeout=60)
    e = Evidence(bench.scorer, done.returncode, done.stdout, done.stderr)
    expect(e.verdict == "ENGINE_FAILED" and e.status == 3, f"{e.verdict}, exit {e.status}: {e.words}")
    return e.verdict, e.words


def _image_refused(at, target):
    """A mount point of ours is a symlink in the submission: nothing is mounted through it."""

    def drive(bench):
        mine = bench.beside("link" + at.replace("/", "-"))
        mine.rootfs = os.path.join(bench.folder, "rootfs" + at.replace("/", "-"))
        shutil.copytree(bench.rootfs, mine.rootfs, symlinks=True)
        os.symlink(target, mine.rootfs + at)
        e = mine.run(("/battery/ends", "table"))
        expect(e.verdict == "IMAGE_REFUSED" and e.status == 1, f"{e.verdict}, exit {e.status}: {e.words}")
        return e.verdict, e.words

    return drive


def _rootfs_untouched(bench):
    before = _files(bench.rootfs), sorted(os.listdir(bench.rootfs))
    bench.run(("/battery/writes", "outside"))
    expect((_files(bench.rootfs), sorted(os.listdir(bench.rootfs))) == before, "the submission's folder changed")
    return "SCORED", "same names, same bytes"


def _concurrent(bench):
    """Eight runs in one home, started together."""
    found, case = [], scored("", "/battery/ends", "table")

    def one():
        try:
            e = bench.run(case.command)
            judge(case, e)
            found.append(e.folder)
        except Broken as broken:
            found.append(broken)

    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for item in found:
        if isinstance(item, Broken):
            raise item
    expect(len(set(found)) == 8, "two runs share a folder")
    return "SCORED", "8 runs"


CASES = [
    Case("05-init-killed", drive=_init_killed),
    Case("init-stopped", drive=_init_stopped),
    Case("06-cancelled", drive=_cancelled),
    Case("11-scorer-killed", drive=_scorer_killed),
    Case("second-run-untouched", drive=_second_run),
    Case("42-own-uid", drive=_two_at_once),
    Case("tampered-evidence", drive=_tampered),
    Case("12-init-mode", drive=_init_mode),
    Case("usage", drive=_usage),
    Case("16-host-disk-full", drive=_disk_full),
    Case("engine-missing", drive=_engine_missing),
    Case("image-symlink-input", drive=_image_refused("/input", "/etc")),
    Case("image-symlink-proctor", drive=_image_refused("/.proctor", "/output")),
    Case("rootfs-untouched", drive=_rootfs_untouched),
    Case("runs-at-once", drive=_concurrent),
]
