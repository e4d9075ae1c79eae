"""What a run left: the JSON answer, the audit's stage, init's record, the kept logs. Reads only, believes nothing twice."""

import json
import os
import subprocess


class Broken(Exception):
    """An expectation that did not hold, in words."""


def expect(holds, words):
    if not holds:
        raise Broken(words)


class Evidence:
    def __init__(self, scorer, status, answer, screen):
        self.scorer = scorer
        self.status = status  # exit status of scorer-host
        self.screen = screen  # its standard error
        try:
            self.answer = json.loads(answer)
        except ValueError:
            raise Broken(f"status {status}, no JSON on stdout: {answer[:200]!r} {screen[-400:]!r}") from None
        self.verdict = self.answer["verdict"]
        self.folder = self.answer["evidence"]
        self.audit = self.stage = self.record = None
        if self.folder and os.path.exists(os.path.join(self.folder, "audit.json")):
            self.audit = json.loads(self.read("audit.json"))
            stages = self.audit["predicate"]["stages"]
            self.stage = stages[0] if stages else None
            self.record = self.stage and self.stage["record"]

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def log(self, stream="stdout"):
        return self.read(f"logs/{stream}")

    def lines(self):
        return self.log().decode("latin-1").splitlines()

    @property
    def cause(self):
        return self.record["cause"] if self.record else {}

    @property
    def words(self):
        """What the operator is told."""
        return json.dumps(self.answer["operator"])

    @property
    def layers(self):
        return {layer["name"]: layer["state"] for layer in self.answer["layers"]}

    def verify(self):
        """The signed evidence holds, by the program and not by us."""
        done = subprocess.run([self.scorer, "verify", self.folder], capture_output=True, text=True, timeout=60, check=False)
        expect(done.returncode == 0, f"verify says {done.returncode}: {done.stdout}{done.stderr}")

    def summary(self):
        """One line for people: how it ended, by whom, in numbers."""
        if not self.record:
            return self.words or "no record"
        cause, ended = self.cause, self.record["exit"]
        parts = ["not executed" if ended is None else " ".join(f"{k} {v}" for k, v in ended.items())]
        if cause["by_init"] and cause["limit"] is None:
            parts.append("by init")
        elif cause["by_init"]:
            parts.append(f"by init: limit {cause['limit']} {cause['unit']}, observed {cause['observed']}")
        elif cause["verdict"] == "MEMORY":
            parts.append(cause["proof"])
        if self.record["survivors"]:
            parts.append(f"survivors {self.record['survivors']}")
        if self.answer["notes"]:
            parts.append("notes " + " ".join(self.answer["notes"]))
        return ", ".join(parts)


def attempts(evidence):
    """The `deny` and `allow` lines of a probe: all denied, all allowed; returns how many of each."""
    denied = allowed = 0
    for line in evidence.lines():
        if line.startswith("deny "):
            denied += 1
            expect(not line.endswith(" ok"), f"went through: {line[5:]}")
        elif line.startswith("allow "):
            allowed += 1
            expect(line.endswith(" ok"), f"was refused: {line[6:]}")
        else:
            expect(not line.startswith("breach"), line)
    return denied, allowed
