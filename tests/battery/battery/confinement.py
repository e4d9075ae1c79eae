"""What a candidate may reach and touch: network, files, its own privileges, init."""

import os
import re
import subprocess

from battery.case import ended, forbidden, refused, scored
from battery.evidence import attempts, expect


def _attempts(least):
    def check(e):
        denied, allowed = attempts(e)
        expect(denied >= least, f"only {denied} attempts were made")
        return f"{denied} attempts refused, {allowed} uses allowed"

    return check


def _network(e):
    words = _attempts(38)(e)
    expect(e.layers["network"] == "enforced", f"network is {e.layers['network']}")
    answers = dict(line.split()[1:3] for line in e.lines() if line.startswith("deny "))
    for probe, answer in answers.items():
        if probe.startswith("socket-AF_"):
            expect(answer == "EPERM", f"{probe}: {answer}")
    denied = {(row["call"], row["arg"]): row["count"] for row in e.stage["denied"]}
    for family in ("AF_INET", "AF_INET6", "AF_PACKET", "AF_VSOCK", "AF_ALG", "AF_BLUETOOTH", "AF_CAN", "AF_XDP"):
        asked = sum(bool(re.match(rf"socket-{family}(-|$)", probe)) for probe in answers)
        expect(denied.get(("socket", family)) == asked > 0, f"{family} was asked for {asked} times: {denied}")
    expect(("socket", "AF_NETLINK") not in denied, "AF_NETLINK is asked for by every getaddrinfo")
    expect(e.stage["denied"] == e.record["denied"], "the statement has another ledger than the record")
    expect(answers["io_uring_setup"] == "ENOSYS", f"io_uring_setup: {answers['io_uring_setup']}")  # 28
    expect(answers["number-above-table"] == "ENOSYS", "a number above the table")
    return words


def _foreign(what):
    def check(e):
        expect(what in e.cause["proof"], f"proof: {e.cause['proof']}")
        expect(not [line for line in e.lines() if "-int80" in line or "-x32" in line], "the call was answered")
        expect(e.layers["syscalls"] == "enforced", "the layer")
        return e.cause["proof"]

    return check


def _files(e):
    words = _attempts(180)(e)
    expect(e.layers["files"] == "enforced", f"files is {e.layers['files']}")
    answers = dict(line.split()[1:3] for line in e.lines() if line.startswith("deny clone3"))
    expect(answers["clone3"] == "ENOSYS", f"clone3: {answers['clone3']}")  # 26
    return words


def _look(e):
    lines = e.lines()
    status = dict(line.split(":\t", 1) for line in lines if re.match(r"[A-Z]\w+:\t", line))
    uid = status["Uid"].split()
    expect(len(set(uid)) == 1 and uid[0] != "0", f"uids {uid}")
    expect(len(set(status["Gid"].split())) == 1 and status["Gid"].split()[0] != "0", f"gids {status['Gid']}")
    expect(status["Groups"].strip() == "", f"groups {status['Groups']}")
    for key in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        expect(int(status[key], 16) == 0, f"{key} {status[key]}")
    expect(status["NoNewPrivs"] == "1" and status["Seccomp"] == "2", "no_new_privs or seccomp is off")
    expect("rlimit core 1 1" in lines, "core limit")
    expect("rlimit nofile 64 64" in lines, "open-files limit")
    expect("session 1" in lines, "no session of its own")
    kinds = [line for line in lines if line.startswith("fd ")]
    expect(kinds == ["fd 0 20000", "fd 1 10000", "fd 2 10000"], f"descriptors {kinds}")  # 41
    names = sorted(line[4:].split("=")[0] for line in lines if line.startswith("env "))
    expect(set(names) <= {"PATH", "HOME", "LANG", "TMPDIR", "PROBE"}, f"environment {names}")  # 40
    attempts(e)
    off = [name for name, state in e.layers.items() if state in ("off", "unavailable") and name not in ("cpu-time", "cpus")]
    expect(not off, f"layers not in force: {off}")
    return f"uid {uid[0]}, no capability, descriptors 0 to 2, environment {' '.join(names)}"


def _init(e):
    words = _attempts(45)(e)
    return words + ", init lived to tell"


def _fetched(e):
    """The note, in the record's numbers, for whoever looks at the run later."""
    rows = {(row["call"], row["arg"]): row["count"] for row in e.stage["denied"]}
    expect(rows == {("socket", "AF_INET"): 6, ("socket", "AF_INET6"): 6}, f"denied: {rows}")
    shown = subprocess.run([e.scorer, "show", "--home", os.path.dirname(os.path.dirname(e.folder)), e.answer["run"]],
                           capture_output=True, text=True, timeout=60, check=False).stdout
    expect("network-denied" in shown, f"not shown: {shown}")
    return "network-denied is noted and shown"


CASES = [
    scored("27-network-attempts", "/battery/network", "attempts", check=_network, notes=("network-denied",)),
    scored("network-fetch-scored", "/battery/network", "fetch", "6", notes=("network-denied",), check=_fetched),
    ended("network-fetch-failed", "EXIT_NONZERO", {"code": 1}, "/battery/network", "fetch", "6", "1",
          notes=("network-denied",), check=_fetched),
    forbidden("29-network-int80", "/battery/network", "foreign", check=_foreign("another architecture's entry, number 359")),
    forbidden("29-network-x32", "/battery/network", "x32", check=_foreign("the x32 numbers, number 41")),
    scored("26-writes-outside", "/battery/writes", "outside", check=_files, limits={"output-files": 32}),
    scored("40-41-seal-from-inside", "/battery/writes", "look", check=_look, limits={"open-files": 64}),
    refused("open-files", "OUTPUT_MISSING", "/battery/writes", "open-files", limits={"open-files": 16},
            check=lambda e: " ".join(e.lines())),
    scored("attack-init", "/battery/processes", "attack-init", check=_init),
]
