"""A program that only computes, as strict is meant for: numpy's threads, files, a child process, a thread."""
import errno
import os
import socket
import subprocess
import threading

import numpy as np

import cases

a = np.random.default_rng(1).standard_normal((400, 400))
assert np.allclose(np.linalg.inv(a) @ a, np.eye(400), atol=1e-6)
assert subprocess.run(["/bin/cat", "/input/cases.csv"], capture_output=True, check=True).stdout.startswith(b"id,x")
thread = threading.Thread(target=os.getpid)
thread.start()
thread.join()
for family, answer in ((socket.AF_UNIX, errno.ENOSYS), (socket.AF_INET, errno.EPERM)):
    try:
        socket.socket(family, socket.SOCK_STREAM)
    except OSError as e:
        assert e.errno == answer, e
    else:
        raise AssertionError("a socket was opened")

ids, x = zip(*cases.read())
cases.write(ids, 1 / (1 + np.exp(-np.array(x))))
