#!/usr/bin/env python3
"""A second opinion on a run directory, sharing no code with scorer-host: Python's standard library, and openssl for ECDSA.

usage: verify.py RUN PUBLIC.pem
Prints what does not hold, one "FILE: what" a line, and exits 1; prints nothing and exits 0 when everything holds.
It follows init/wire/PROTOCOL.md, DSSE v1 and in-toto Statement v1, not scorer-host's sources.
"""
import base64
import hashlib
import hmac
import json
import os
import stat
import subprocess
import sys
import tempfile

TYPE = b"application/vnd.in-toto+json"
faults = []


def fault(name, what):
    faults.append(f"{name}: {what}")


def read(run, name):
    with open(os.path.join(run, name), "rb") as file:
        return file.read()


def no_twins(pairs):
    names = [key for key, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError("a key twice")
    return dict(pairs)


def escaped(name):
    return "".join(chr(b) if 0x20 <= b < 0x7F and b != 0x5C else f"\\x{b:02x}" for b in os.fsencode(name))


def signature(run, public, audit):
    envelope = read(run, "audit.dsse.json")
    parts = json.loads(envelope, object_pairs_hook=no_twins)
    payload = base64.b64decode(parts["payload"], validate=True)
    (one,) = parts["signatures"]
    sig = base64.b64decode(one["sig"], validate=True)
    again = {
        "payload": base64.b64encode(payload).decode(),
        "payloadType": TYPE.decode(),
        "signatures": [{"keyid": one["keyid"], "sig": base64.b64encode(sig).decode()}],
    }
    if (json.dumps(again, indent=2) + "\n").encode() != envelope:
        fault("audit.dsse.json", "is not in its one encoding")
    if payload != audit:
        fault("audit.json", "is not the payload of audit.dsse.json")
    with open(public, "rb") as file:
        der = base64.b64decode(b"".join(file.read().split(b"\n")[1:-2]))
    if one["keyid"] != hashlib.sha256(der).hexdigest():
        fault("audit.dsse.json", "names another key")
    with tempfile.TemporaryDirectory() as folder:
        pae, signed = os.path.join(folder, "pae"), os.path.join(folder, "sig")
        with open(pae, "wb") as file:
            file.write(b"DSSEv1 %d %s %d %s" % (len(TYPE), TYPE, len(payload), payload))
        with open(signed, "wb") as file:
            file.write(sig)
        done = subprocess.run(
            ["openssl", "dgst", "-sha256", "-verify", public, "-signature", signed, pae], capture_output=True, check=False
        )
    if done.returncode != 0:
        fault("audit.dsse.json", "has no signature of this key")


def digests(run, statement):
    stated = {}
    for subject in statement["subject"]:
        if subject["name"] in stated:
            fault(subject["name"], "is named twice")
        stated[subject["name"]] = subject["digest"]["sha256"]
    stated.pop("submission", None)
    for folder, folders, files in os.walk(run):
        for name in folders:
            if stat.S_ISLNK(os.lstat(os.path.join(folder, name)).st_mode):
                fault(name, "is a link")
        for name in files:
            path = os.path.join(folder, name)
            shown = escaped(os.path.relpath(path, run))
            if not stat.S_ISREG(os.lstat(path).st_mode):
                fault(shown, "is no regular file")
                continue
            if shown in ("audit.json", "audit.dsse.json"):
                continue
            with open(path, "rb") as file:
                if stated.pop(shown, None) != hashlib.sha256(file.read()).hexdigest():
                    fault(shown, "is not what is stated")
    for name in stated:
        fault(name, "is stated, but is not there")


def transcript(run, predicate):
    stage = predicate["stages"][0]
    if not stage["observed"]["session_whole"]:
        return
    data = read(run, "transcript.bin")
    frames, at = [], 0
    while at < len(data):
        size = 52 + int.from_bytes(data[at + 16 : at + 20], "big")
        frames.append(data[at : at + size])
        at += size
    words = frames[1][20:-32].split(b"\0")
    options = dict(zip(words[0 : words.index(b"--") : 2], words[1 : words.index(b"--") : 2]))
    key = bytes.fromhex(options[b"--key"].decode())
    binding = hashlib.sha256(frames[0] + frames[1]).digest()
    kept, record = {1: 0, 2: 0}, None
    for number, frame in enumerate(frames[2:], 1):
        if hmac.digest(key, frame[:-32], "sha256") != frame[-32:] or int.from_bytes(frame[8:16], "big") != number:
            fault("transcript.bin", f"frame {number} does not verify")
            return
        key = hmac.digest(key, b"proctor ratchet 1", "sha256")
        content = frame[20:-32]
        if number == 1:
            if content[:32] != binding:
                fault("transcript.bin", "is not bound to its HELLO and TICKET")
            content = content[32:]
        if frame[5] == 3:
            kept[frame[6]] += len(content) - 8
        elif frame[5] == 7:
            record = json.loads(content, object_pairs_hook=no_twins)
    if [frame[5] for frame in frames[:2]] != [1, 2] or [frame[5] for frame in frames[-2:]] != [7, 8]:
        fault("transcript.bin", "is not whole")
    if record != stage["record"] or json.loads(frames[0][20:-32]) != stage["facts"]:
        fault("transcript.bin", "carries another record or other facts than the statement")
    if options[b"--run"].decode() != predicate["run"]["id"] or len(frames) != predicate["transcript"]["frames"]:
        fault("transcript.bin", "is of another run")
    if [kept[1], kept[2]] != [log["kept"] for log in stage["logs"]]:
        fault("transcript.bin", "carries other logs")


def main():
    run, public = sys.argv[1:]
    try:
        audit = read(run, "audit.json")
        signature(run, public, audit)
        statement = json.loads(audit, object_pairs_hook=no_twins)
        if statement["_type"] != "https://in-toto.io/Statement/v1":
            fault("audit.json", "is no statement")
        digests(run, statement)
        transcript(run, statement["predicate"])
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        fault("evidence", f"cannot be read: {error!r}")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
