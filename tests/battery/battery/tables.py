"""Tables that a candidate hands in, byte for byte, with the verdict that each has to get."""

from battery.case import refused, scored
from battery.evidence import expect

GOOD = b"id,p\na,0.9\nb,0.8\nc,0.2\nd,0.1\n"

# name: (verdict, bytes)
TABLES = {
    "good": ("SCORED", GOOD),
    "other-order": ("SCORED", b"p,id\n0.1,d\n0.2,c\n0.9,a\n0.8,b\n"),
    "crlf": ("SCORED", GOOD.replace(b"\n", b"\r\n")),
    "35-bom": ("SCORED", b"\xef\xbb\xbf" + GOOD),
    "quoted": ("SCORED", b'"id","p"\n"a","0.9"\n"b",0.8\nc,"2e-1"\nd,.1\n'),
    "no-last-newline": ("SCORED", GOOD[:-1]),
    "bom-twice": ("TABLE_COLUMNS", b"\xef\xbb\xbf\xef\xbb\xbf" + GOOD),
    "empty": ("TABLE_FORMAT", b""),
    "nul": ("TABLE_FORMAT", b"id,p\na,0.9\nb,0.8\0\nc,0.2\nd,0.1\n"),
    "36-extra-field": ("TABLE_FORMAT", b"id,p\na,0.9,1\nb,0.8,1\nc,0.2,1\nd,0.1,1\n"),
    "short-row": ("TABLE_FORMAT", b"id,p\na,0.9\nb\nc,0.2\nd,0.1\n"),
    "open-quote": ("TABLE_FORMAT", b'id,p\na,0.9\nb,0.8\nc,0.2\nd,"0.1\n'),
    "header-only": ("TABLE_MISSING", b"id,p\n"),
    "no-column": ("TABLE_COLUMNS", b"id,q\na,0.9\nb,0.8\nc,0.2\nd,0.1\n"),
    "more-columns": ("TABLE_COLUMNS", b"id,p,q\na,0.9,1\nb,0.8,1\nc,0.2,1\nd,0.1,1\n"),
    "same-column-twice": ("TABLE_COLUMNS", b"id,p,p\na,0.9,1\nb,0.8,1\nc,0.2,1\nd,0.1,1\n"),
    "34-duplicate": ("TABLE_DUPLICATE", b"id,p\na,0.9\nb,0.8\nc,0.2\nd,0.1\na,0.9\n"),
    "33-missing": ("TABLE_MISSING", b"id,p\na,0.9\nb,0.8\nc,0.2\n"),
    "33-unknown": ("TABLE_UNKNOWN", b"id,p\na,0.9\nb,0.8\nc,0.2\ne,0.1\n"),
    "36-id-bytes": ("TABLE_UNKNOWN", b"id,p\n a,0.9\nb,0.8\nc,0.2\nd,0.1\n"),
    "32-nan": ("TABLE_VALUE", b"id,p\na,nan\nb,0.8\nc,0.2\nd,0.1\n"),
    "32-inf": ("TABLE_VALUE", b"id,p\na,0.9\nb,inf\nc,0.2\nd,0.1\n"),
    "32-na": ("TABLE_VALUE", b"id,p\na,n/a\nb,0.8\nc,0.2\nd,0.1\n"),
    "empty-value": ("TABLE_VALUE", b"id,p\na,\nb,0.8\nc,0.2\nd,0.1\n"),
    "out-of-range": ("TABLE_VALUE", b"id,p\na,1.1\nb,0.8\nc,0.2\nd,0.1\n"),
    "comma-decimal": ("TABLE_VALUE", b'id,p\na,"0,9"\nb,0.8\nc,0.2\nd,0.1\n'),
    "long-field": ("TABLE_FORMAT", b"id,p\na,0.9" + b"0" * 100000 + b"\nb,0.8\nc,0.2\nd,0.1\n"),
}


def _check(name):
    def check(e):
        if TABLES[name][0] == "SCORED":
            expect(e.read("outputs/predictions.csv") == TABLES[name][1], "the stored copy differs")
            expect([m["value"] for m in e.answer["metrics"]] == [1, 1], f"metrics {e.answer['metrics']}")
            expect(("bom" in e.answer["notes"]) == (name == "35-bom"), f"notes {e.answer['notes']}")
            return "AUROC 1, accuracy 1"
        expect(e.answer["metrics"] == [], "a refused table has metrics")
        return e.words

    return check


CASES = [
    (scored if verdict == "SCORED" else lambda n, *c, v=verdict, **m: refused(n, v, *c, **m))(
        "table-" + name, "/battery/output", "put", "/battery/tables/" + name, check=_check(name))
    for name, (verdict, _) in TABLES.items()
]
