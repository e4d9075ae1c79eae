"""Cases where init has the candidate's own uid, as under an engine's --user: no capability, no host. runc starts init itself."""

import json
import os
import shutil
import subprocess
import time
import uuid

from battery.case import Case
from battery.evidence import Broken, expect

UID = 1000
SECONDS = 60
ATTACKS = {"signals": 960, "handles": 260, "limits": 90, "schedule": 36, "owners": 20, "files": 38, "memory": 30}
LAYER = {"landlock": ("--scratch", "/tmp"), "alone": ()}


class Container:
    """One container, its record and its streams. The record goes to stderr, the streams through init's pump."""

    def __init__(self, bench, options, command, memory=256 << 20, pids=200):
        self.id = "battery-" + uuid.uuid4().hex[:12]
        self.folder = os.path.join(bench.folder, self.id)
        self.state = os.path.join(bench.folder, "runc")
        # runc makes the mount points where they are missing; the others' root filesystem must stay as it is.
        os.makedirs(os.path.join(self.folder, "rootfs"))
        init = os.path.join(self.folder, "init")
        shutil.copy(os.environ["PROCTOR_INIT"], init)
        os.chmod(init, 0o555)
        with open(os.path.join(self.folder, "config.json"), "w", encoding="ascii") as file:
            json.dump(self._config(bench, init, options, command, memory, pids), file)
        self.out = open(os.path.join(self.folder, "out"), "w+b")  # pylint: disable=consider-using-with
        self.err = open(os.path.join(self.folder, "err"), "w+b")  # pylint: disable=consider-using-with
        self.process = subprocess.Popen(["runc", "--root", self.state, "run", "--bundle", self.folder, self.id],
                                        stdin=subprocess.DEVNULL, stdout=self.out, stderr=self.err)

    @staticmethod
    def _config(bench, init, options, command, memory, pids):
        flags = ["nosuid", "nodev", "noexec"]
        return {
            "ociVersion": "1.0.2",
            "process": {"terminal": False, "user": {"uid": UID, "gid": UID}, "cwd": "/", "env": ["PATH=/battery"],
                        "args": ["/init", "--record", "stderr", *options, "--", *command],
                        "capabilities": {k: [] for k in ("bounding", "effective", "permitted", "inheritable", "ambient")},
                        "noNewPrivileges": True},
            "root": {"path": "rootfs", "readonly": True},
            "mounts": [
                {"destination": "/proc", "type": "proc", "source": "proc", "options": flags},
                {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "mode=755", "size=64k"]},
                {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": [*flags, "mode=1777", "size=1m"]},
                {"destination": "/battery", "type": "bind", "source": os.path.join(bench.rootfs, "battery"),
                 "options": ["bind", "ro", "nosuid", "nodev"]},
                {"destination": "/init", "type": "bind", "source": init, "options": ["bind", "ro", "nosuid", "nodev"]}],
            "linux": {"namespaces": [{"type": t} for t in ("pid", "network", "ipc", "uts", "mount")],
                      "resources": {"memory": {"limit": memory, "swap": memory + (16 << 20)}, "pids": {"limit": pids}}}}

    def text(self):
        with open(self.out.name, "rb") as file:
            return file.read().decode("latin-1")

    def await_text(self, text):
        until = time.monotonic() + SECONDS
        while text not in self.text():
            if self.process.poll() is not None or time.monotonic() > until:
                raise Broken(f"no {text!r} on its stdout: {self.text()[-300:]!r} {self._errors()!r}")
            time.sleep(0.01)

    def stop(self, signal="TERM"):
        subprocess.run(["runc", "--root", self.state, "kill", self.id, signal], check=True, capture_output=True, timeout=SECONDS)

    def _errors(self):
        with open(self.err.name, "rb") as file:
            return file.read().decode("latin-1")

    def end(self):
        """Waits; the record. The container is gone in any case."""
        try:
            self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            raise Broken(f"still running; so far {self.text()[-300:]!r}") from None
        finally:
            subprocess.run(["runc", "--root", self.state, "delete", "--force", self.id], capture_output=True, timeout=SECONDS,
                           check=False)
            self.process.wait(SECONDS)
            self.out.close()
            self.err.close()
        lines = [line for line in self._errors().splitlines() if line.startswith('{"run":')]
        expect(len(lines) == 1, f"no record, status {self.process.returncode}: {self._errors()[-400:]!r}")
        return json.loads(lines[0])


def _attack(name, layer):
    def drive(bench):
        c = Container(bench, ("--wall-time", "30s", "--log-bytes", "1MiB", *LAYER[layer]), ("/battery/oneuid", name))
        record = c.end()
        lines = [line.split() for line in c.text().splitlines()]
        through = [line[1] for line in lines if line[0] == "deny" and line[2] == "ok"]
        kept = [line[1] for line in lines if line[0] == "allow" and line[2] != "ok"]
        tried = sum(line[0] == "deny" for line in lines)
        expect(not through, f"went through: {' '.join(through[:8])}")
        expect(not kept, f"its own are refused: {' '.join(kept)}")
        expect(tried >= ATTACKS[name], f"only {tried} attempts")
        expect(record["exit"] == {"code": 0} and record["cause"]["verdict"] is None, f"{record['exit']} {record['cause']}")
        files = {row["name"]: row["state"] for row in record["layers"]}["files"]
        expect(layer == "alone" or files == "enforced", f"files is {files}")
        expect(record["denied"] is not None, "denials are not counted")
        return "exit 0", f"{tried} attempts refused, {sum(row['count'] for row in record['denied'])} by policy"

    return Case(f"one-uid-{name}-{layer}", drive=drive)


def _stopped(name, options, command, awaited, stops, check, **more):
    """Somebody outside asks to stop, once or more often."""
    def drive(bench):
        c = Container(bench, ("--wall-time", "50s", "--log-bytes", "64KiB", *options), command, **more)
        try:
            c.await_text(awaited)
            for after, text in enumerate(stops):
                c.stop(text)
                if after + 1 < len(stops):
                    c.await_text("asked to stop")
        finally:
            record = c.end()
        cause = record["cause"]
        expect(cause["verdict"] == "CANCELLED" and cause["by_init"], f"cause {cause}")
        check(record)
        return "CANCELLED", cause["proof"]

    return Case(name, drive=drive)


def _soon(record):
    expect(record["usage"]["wall_ms"]["value"] < 20000, f"{record['usage']['wall_ms']} after the start")


def _after_grace(record):
    times = [int(word) for word in record["cause"]["proof"].split() if word.isdigit()]
    expect(len(times) >= 2 and 500 <= times[-1] - times[0] < 5000, f"grace of 500 ms: {record['cause']['proof']}")
    expect(record["exit"] == {"signal": 9}, f"exit {record['exit']}")


def _at_once(record):
    expect(record["usage"]["wall_ms"]["value"] < 25000, f"the second stop did not shorten the grace of 40 s: {record['usage']}")
    expect(record["exit"] == {"signal": 9}, f"exit {record['exit']}")
    expect("asked again from outside" in record["cause"]["proof"], record["cause"]["proof"])


def _at_the_limit(name, command, limit=700, **more):
    """The wall limit, on time whatever the candidate does to init; late only by what a loaded machine is late."""
    def drive(bench):
        c = Container(bench, ("--wall-time", f"{limit}ms", "--grace", "100ms", "--log-bytes", "64KiB"), command, **more)
        record = c.end()
        cause = record["cause"]
        if more.get("memory"):
            expect(cause["verdict"] in ("WALL_TIME", "MEMORY"), f"cause {cause}")
        else:
            expect(cause["verdict"] == "WALL_TIME" and cause["by_init"], f"cause {cause}")
            expect(limit <= cause["observed"] < limit + 1000, f"observed {cause['observed']}")
        denied = record["denied"]
        return cause["verdict"], f"at {cause['observed']} ms; {sum(row['count'] for row in denied or [])} refused calls"

    return Case(name, drive=drive)


ONE = "/battery/oneuid"
CASES = [
    *(_attack(name, layer) for name in ATTACKS for layer in LAYER),
    *(_stopped(f"one-uid-stop-under-flood-{layer}", ("--grace", "1s", *LAYER[layer]), (ONE, "flood", "6"), "flooding", ["TERM"],
               _soon) for layer in LAYER),
    _stopped("stop-grace-kill", ("--grace", "500ms"), (ONE, "stubborn"), "ready", ["TERM"], _after_grace),
    _stopped("stop-twice", ("--grace", "40s"), (ONE, "stubborn"), "ready", ["TERM", "TERM"], _at_once),
    _at_the_limit("one-uid-refused-flood", (ONE, "refused", "16")),
    *(_at_the_limit(f"one-uid-exhaust-{what}", (ONE, "exhaust", what), **more) for what, more in {
        "pids": {"pids": 40}, "fds": {}, "pipes": {}, "flight": {}, "signals": {}, "memory": {"memory": 64 << 20}}.items()),
]
