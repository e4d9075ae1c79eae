"""Where cases run: a root filesystem, a home, and scorer-host called on them. Removes all that it made."""

import os
import shutil
import stat
import subprocess

from battery.evidence import Broken, Evidence
from battery.tables import TABLES

SECONDS = 90  # a run that takes longer hangs; no case comes near


class Bench:
    def __init__(self, scorer, programs, folder, task):
        self.scorer, self.folder, self.task = scorer, folder, task
        self.rootfs = os.path.join(folder, "rootfs")
        self.home = os.path.join(folder, "home")
        self.programs = programs
        self._rootfs()

    def _rootfs(self):
        at = os.path.join(self.rootfs, "battery")
        os.makedirs(os.path.join(at, "tables"))
        os.makedirs(os.path.join(self.rootfs, "etc"))
        with open(os.path.join(self.rootfs, "etc/passwd"), "w", encoding="ascii") as file:
            file.write("root:x:0:0::/:/bin/sh\n")
        for name in sorted(os.listdir(self.programs)):
            path = os.path.join(self.programs, name)
            if "." not in name:
                shutil.copy(path, at)
        for name, text in {"no-format": "\x7fELF nothing\n", "no-interpreter": "#!/no/such/thing\n"}.items():
            with open(os.path.join(at, name), "w", encoding="latin-1") as file:
                file.write(text)
            os.chmod(file.name, 0o755)
        shutil.copy(os.path.join(at, "ends"), os.path.join(at, "no-mode"))
        os.chmod(os.path.join(at, "no-mode"), 0o644)
        for name, (_, content) in TABLES.items():
            with open(os.path.join(at, "tables", name), "wb") as file:
                file.write(content)

    def beside(self, name):
        """The same bench with a home of its own."""
        other = object.__new__(Bench)
        other.__dict__.update(self.__dict__)
        other.home = os.path.join(self.folder, "home-" + name)
        return other

    def argv(self, command, limits=(), task=None, more=()):
        options = [word for name, value in dict(limits).items() for word in ("--limit", f"{name}={value}")]
        tail = ["--", *command] if command else []
        return [self.scorer, "run", "--task", task or self.task, "--rootfs", self.rootfs, "--home", self.home, "--json",
                *options, *more, *tail]

    def start(self, command, limits=(), task=None, more=()):
        return subprocess.Popen(self.argv(command, limits, task, more), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def finish(self, process):
        try:
            out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.terminate()
            try:
                out, err = process.communicate(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                out, err = process.communicate()
            raise Broken(f"still running after {SECONDS} s: {err[-400:]!r}") from None
        return Evidence(self.scorer, process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))

    def run(self, command, limits=(), task=None, more=()):
        return self.finish(self.start(command, limits, task, more))

    def copy_task(self, name):
        """A task folder of one's own, to be changed."""
        to = os.path.join(self.folder, "task-" + name)
        shutil.copytree(self.task, to)
        return to


def left_behind(folder):
    """What still exists of the bench's runs: mounts, loop devices, cgroups, processes. A list of words."""
    left = []
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        left += ["mount " + line.split()[4] for line in file if folder in line]
    for loop in os.listdir("/sys/block"):
        backing = f"/sys/block/{loop}/loop/backing_file"
        if loop.startswith("loop") and os.path.exists(backing):
            with open(backing, encoding="utf-8") as file:
                name = file.read().strip()
                if folder in name:
                    left.append(f"/dev/{loop} on {name}")
    runs = {run for home in os.listdir(folder) if home.startswith("home")
            for run in _runs(os.path.join(folder, home))}
    for top, folders, _ in os.walk("/sys/fs/cgroup"):
        left += [os.path.join(top, f) for f in folders if any(run in f for run in runs)]
    for top in ("/run", "/tmp"):
        for name in os.listdir(top):
            if any(run in name for run in runs):
                left.append(os.path.join(top, name))
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                line = file.read().decode("latin-1")
            if folder in line and int(pid) != os.getpid():
                left.append(f"process {pid}: {line.replace(chr(0), ' ')[:120]}")
        except OSError:
            continue
    return left


def _runs(home):
    found = []
    for top, folders, _ in os.walk(home):
        found += [name for name in folders if name.startswith("r-")]
    return found


def remove(folder):
    """Removes the bench; a candidate may have left folders of mode 0."""
    for top, folders, _ in os.walk(folder):
        for name in folders:
            path = os.path.join(top, name)
            if not os.path.islink(path) and not os.stat(path).st_mode & stat.S_IRWXU:
                os.chmod(path, 0o700)
    shutil.rmtree(folder)
