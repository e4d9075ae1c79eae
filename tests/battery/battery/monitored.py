"""Result trees on a filesystem that is shared: everything that can be hidden there is seen, or called a breach, or said.

Each case runs with a uid of the candidate's own and with init's; on tmpfs and on ext4.
"""

from battery import direct
from battery.case import Case
from battery.evidence import expect

HOARD = "/battery/hoard"
MIB = 1 << 20
BUDGET = 4 * MIB
OUTPUT = ("--output", "/output", "--open-files", "4096", "--wall-time", "50s")
WORDS = (*OUTPUT, "--output-bytes", "4MiB")
HIDDEN = "hides what it holds"
COUNTED = "counted inode by inode"


def _breach(a, verdict, limit, proof=None, slack=32 * MIB):
    cause = a.cause
    expect(cause["verdict"] == verdict, f"{a.verdict}, expected {verdict}: {a.words()} {a.err}")
    expect(cause["by_init"] and a.status == 124, f"status {a.status}: {cause}")
    expect(cause["limit"] == limit < cause["observed"], f"{cause}")
    expect(cause["observed"] <= limit + slack, f"far beyond its budget: {cause}")
    expect(proof is None or proof in cause["proof"], f"another proof: {cause}")
    expect(a.how in ("monitored", "lower-bound"), a.how)
    expect(proof != HIDDEN or a.how == "lower-bound", f"hidden, but {a.how}")


def _ended(a, code=0):
    expect(a.record["exit"] == {"code": code} and a.cause["limit"] is None, f"{a.verdict}: {a.words()} {a.err}")
    expect(a.how == "monitored", f"how {a.how}")
    expect(a.layer("output") == "best-effort", a.layer("output"))


def over(name, *action, proof=COUNTED, verdict="OUTPUT_BYTES", limit=BUDGET, words=WORDS, modes=None):
    return _each(name, action, words, lambda a: _breach(a, verdict, limit, proof), modes)


def honest(name, *action, words=WORDS, check=_ended, modes=None, **more):
    return _each(name, action, words, check, modes, **more)


MODES = (("tmpfs", False), ("tmpfs", True), ("ext4", False), ("ext4", True))


def _each(name, action, words, check, modes, **more):
    return [_case(f"{name}-{fs}-{'same' if same else 'own'}-uid", action, words, check, fs, same, more)
            for fs, same in modes or MODES]


def _case(name, action, words, check, filesystem, same, more):
    def drive(bench):
        a = direct.run(bench, name, [*words, "--", HOARD, *action], filesystem, same, **more)
        check(a)
        return a.verdict, a.words()

    return Case("monitored-" + name, drive=drive)


def _refused(a):
    _ended(a)
    expect("deny fallocate EOPNOTSUPP" in a.out, a.out)


def _small(a):
    """A bind mount of a folder of a larger filesystem is never `exact`, whatever the size of that filesystem."""
    _ended(a)
    expect(a.record["output"]["bytes"] >= 100 * 1024, a.words())


NEIGHBOUR = "while :; do dd if=/dev/zero of=x bs=1M count=300; rm x; done 2>/dev/null"

CASES = [
    *over("fast", "fast"),
    *over("exits-at-once", "burst"),
    *over("20-deleted", "deleted"),
    *over("never-named", "temporary"),
    *over("left-behind", "left-behind"),
    *over("22-not-dumpable", "undumpable", proof=HIDDEN),
    *over("22-dead-leader", "dead-leader"),
    *over("22-thread-of-its-own", "own-table"),
    *over("22-mapped-and-closed", "mapped", proof=HIDDEN),
    *over("22-in-flight", "in-flight", proof=HIDDEN),
    *over("22-closed-folder", "closed-folder"),
    *over("22-closed-hole", "closed-hole"),
    *over("sparse", "hole"),
    *over("mapped-writes", "through-map"),
    *over("21-dodging", "dodge"),
    *over("deep", "deep", "1000"),
    *over("deeper-than-followed", "deep", "4200", proof=HIDDEN, modes=MODES[:2]),
    *over("files", "many", "1000", verdict="OUTPUT_FILES", limit=100, proof="counted one by one",
          words=(*OUTPUT, "--output-files", "100")),
    *over("links-are-files", "names", verdict="OUTPUT_FILES", limit=100, proof="counted one by one",
          words=(*OUTPUT, "--output-files", "100")),
    *over("100000-files", "many", "100000", limit=64 * MIB, modes=(MODES[0],),
          words=(*OUTPUT, "--output-bytes", "64MiB")),
    *over("scratch", "other-tree", "/scratch/x", verdict="SCRATCH_BYTES",
          words=(*OUTPUT, "--output-bytes", "64MiB", "--scratch", "/scratch", "--scratch-bytes", "4MiB")),
    *honest("breathing", "breathing"),
    *honest("hard-links", "linked"),
    *honest("20-fallocate", "allocate", check=_refused),
    *honest("small-part", "modest", "100", check=_small),
    *honest("neighbour", "modest", "500", neighbour=NEIGHBOUR),
]
