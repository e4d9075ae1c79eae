"""proctor-init without a host: started as an unprivileged container's first process on a filesystem that it shares."""

import json
import os
import shutil
import subprocess
import threading

from battery.evidence import Broken, expect

SECONDS = 60
IMAGE = threading.Lock()
UID = 54321
# What a container's root keeps of its privileges, so that closed folders are closed to init, too.
KEPT = "-all,+setuid,+setgid,+setpcap"

# $1 folder, $2 filesystem, $3 init, $4 programs, $5 owner, $6 mode, then the neighbour's command or "", then init's words
SCRIPT = r"""
set -e
mount --make-rprivate /
mount -t tmpfs -o size=64m none "$1"
cd "$1"
mkdir root big root/proc root/output root/tmp root/battery root/usr root/dev root/scratch
case $2 in
tmpfs) mount -t tmpfs -o size=1g,nr_inodes=400k none big ;;
ext4) mount -o loop "$1.ext4" big ;;
esac
mkdir big/part big/scratch big/neighbour
chown "$5:$5" big/part big/scratch
mount --rbind /usr root/usr
for link in bin lib lib64; do ln -s "usr/$link" "root/$link"; done
mount --bind "$4" root/battery
cp "$3" root/init
mount --bind big/part root/output
mount --bind big/scratch root/scratch
if [ -n "$CONTROLLER" ]; then
	mkdir -p "root/cgroup/$CONTROLLER"
	mount --bind "$GROUP" "root/cgroup/$CONTROLLER"
fi
neighbour=$7
case $6 in
same) ids="--reuid $5 --regid $5 --clear-groups" ;;
*) ids= ;;
esac
shift 7
if [ -n "$neighbour" ]; then
	(cd big/neighbour && exec sh -c "$neighbour") &
fi
set +e
unshare -p -f --kill-child sh -c 'mount -t proc proc root/proc && exec chroot root "$@"' sh \
	setpriv $ids --bounding-set """ + KEPT + r""" --no-new-privs -- /init "$@"
status=$?
[ -z "$neighbour" ] || kill $!
exit $status
"""


class Answer:
    def __init__(self, status, record, out, err):
        self.status, self.record, self.out, self.err = status, record, out.decode("latin-1"), err.decode("latin-1")

    @property
    def cause(self):
        return self.record["cause"]

    @property
    def verdict(self):
        return self.cause["verdict"] or "(ended)"

    @property
    def how(self):
        return self.record["output"]["how"]

    def layer(self, name):
        return next(row["state"] for row in self.record["layers"] if row["name"] == name)

    def words(self):
        cause, output = self.cause, self.record["output"]
        parts = [f"exit {self.record['exit']}"]
        if cause["limit"]:
            parts.append(f"limit {cause['limit']}, observed {cause['observed']} {cause['unit']} at {cause['at_ms']} ms "
                         f"({cause['proof'].split(';')[0]})")
        parts.append(f"output {output['bytes']} bytes, {output['files']} files, {output['how']}")
        return ", ".join(parts)


def image(bench):
    """An ext4 filesystem to be copied."""
    path = os.path.join(bench.folder, "monitored.ext4")
    with IMAGE:
        if not os.path.exists(path):
            with open(path, "wb") as file:
                file.truncate(768 << 20)
            subprocess.run(["mkfs.ext4", "-q", "-F", "-N", "150000", path], check=True)
    return path


def run(bench, name, words, filesystem="tmpfs", same=False, neighbour="", wrap=(), cgroup=None):
    """Runs init with these words there; an Answer."""
    folder = os.path.join(bench.folder, "direct-" + name)
    os.mkdir(folder)
    if filesystem == "ext4":
        subprocess.run(["cp", "--sparse=always", image(bench), folder + ".ext4"], check=True)
    read, write = os.pipe()
    ids = [] if same else ["--uid", str(UID), "--gid", str(UID)]
    argv = [*wrap, "unshare", "-m", "sh", "-c", SCRIPT, "sh", folder, filesystem,
            os.environ["PROCTOR_INIT"], bench.programs, str(UID), "same" if same else "separate", neighbour,
            "--record", f"fd:{write}", "--log-bytes", "64KiB", *ids, *words]
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               pass_fds=[write], env={**os.environ, "CONTROLLER": cgroup[0] if cgroup else "", "GROUP": cgroup[1] if cgroup else ""})
    os.close(write)
    try:
        out, err = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        os.close(read)
        raise Broken(f"still running after {SECONDS} s") from None
    text = b""
    while True:
        part = os.read(read, 65536)
        if not part:
            break
        text += part
    os.close(read)
    shutil.rmtree(folder)
    if filesystem == "ext4":
        os.unlink(folder + ".ext4")
    expect(text, f"no record, status {process.returncode}: {err[-600:]!r}")
    return Answer(process.returncode, json.loads(text), out, err)
