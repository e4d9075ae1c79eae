"""A second, independent reading of init/wire/PROTOCOL.md: the host's end of a session, strict in everything."""
import hashlib
import hmac
import json
import os
import socket
import struct
import subprocess
import tempfile

from lib import BOUND, INIT, SELF_PID1, equal

HELLO, TICKET, LOG, SAMPLE, RECORD, BYE = 1, 2, 3, 4, 7, 8
KEY = bytes(range(32))


def pack(kind, payload, sequence=0, stream=0, tag=bytes(32)):
    return b"PRCT" + bytes([1, kind, stream, 0]) + struct.pack(">QI", sequence, len(payload)) + payload + tag


def words(*ws):
    return b"".join((w if isinstance(w, bytes) else str(w).encode()) + b"\0" for w in ws)


class Host:
    """Listens, starts proctor-init against itself, and judges every byte that comes."""

    def __init__(self, *argv, pid1=True, wrap=(), stderr=subprocess.PIPE, **options):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "s")
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(self.path)
        listener.listen(1)
        listener.settimeout(BOUND)
        self.process = subprocess.Popen(
            [*(SELF_PID1 if pid1 else []), *wrap, INIT, "--ticket", "unix:" + self.path, "--report", "unix:" + self.path, *argv],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr, **options)
        self.wire, _ = listener.accept()
        listener.close()
        os.unlink(self.path)
        self.wire.settimeout(BOUND)
        self.key, self.sequence, self.binding = KEY, 0, None
        self.logs = {1: [], 2: []}
        self.samples, self.record, self.closed = [], None, False
        kind, stream, sequence, payload, tag, self.hello = self.frame()
        equal((kind, stream, sequence, tag), (HELLO, 0, 0, bytes(32)), "HELLO")
        self.facts = json.loads(payload)

    def exactly(self, n):
        got = b""
        while len(got) < n:
            piece = self.wire.recv(min(n - len(got), 65536))
            if not piece:
                return got
            got += piece
        return got

    def frame(self):
        header = self.exactly(20)
        if not header:
            return None
        equal(len(header), 20, "a cut header")
        equal(header[:5], b"PRCT\1", "magic and version")
        sequence, length = struct.unpack(">QI", header[8:])
        assert length <= 65536 + 32, length
        rest = self.exactly(length + 32)
        equal(len(rest), length + 32, "a cut frame")
        return header[5], header[6], sequence, rest[:-32], rest[-32:], header + rest

    def ticket(self, *options, command=(), raw=None):
        payload = raw if raw is not None else words(
            "--run", "r-0123456789ab", "--key", KEY.hex(), *options, "--", *command)
        frame = pack(TICKET, payload)
        self.binding = hashlib.sha256(self.hello + frame).digest()
        self.wire.sendall(frame)

    def next(self):
        """One verified frame; False at the end of the stream."""
        frame = self.frame()
        if not frame:
            return False
        kind, stream, sequence, payload, tag, whole = frame
        self.sequence += 1
        equal(sequence, self.sequence, "sequence")
        equal(hmac.new(self.key, whole[:-32], "sha256").digest(), tag, "tag")
        self.key = hmac.new(self.key, b"proctor ratchet 1", "sha256").digest()
        if sequence == 1:
            equal(payload[:32], self.binding, "binding")
            payload = payload[32:]
        assert not self.closed, "something came behind BYE"
        if kind == LOG:
            assert self.record is None and 8 < len(payload) <= 32768
            self.logs[stream].append((struct.unpack(">Q", payload[:8])[0], payload[8:]))
        elif kind == SAMPLE:
            equal((len(payload), self.record), (64, None))
            self.samples.append(struct.unpack(">8Q", payload))
        elif kind == RECORD:
            equal(self.record, None)
            self.record = json.loads(payload)
        else:
            equal((kind, payload), (BYE, b""))
            assert self.record is not None, "BYE before RECORD"
            self.closed = True
        return True

    def end(self):
        """Reads to the end of the stream and of init; its status."""
        while self.next():
            pass
        self.out, self.err = self.process.communicate(timeout=BOUND)
        self.folder.cleanup()
        return self.process.returncode

    def kept(self, stream):
        """What came of a stream, checked against the record's counts."""
        at = total = 0
        for offset, piece in self.logs[stream]:
            assert offset >= at, "an offset went back"
            at = offset + len(piece)
            total += len(piece)
        counts = self.record["logs"][{1: "stdout", 2: "stderr"}[stream]]
        equal(total, counts["kept"], "kept bytes were sent")
        equal(counts["bytes"], counts["kept"] + counts["dropped"])
        return b"".join(piece for _, piece in self.logs[stream])
