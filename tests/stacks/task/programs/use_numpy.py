"""numpy with OpenBLAS' threads."""
import os

import numpy as np
from threadpoolctl import threadpool_info

import cases

[blas] = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
assert blas["internal_api"] == "openblas", blas
assert blas["num_threads"] == min(2, len(os.sched_getaffinity(0))), blas

a = np.random.default_rng(1).standard_normal((800, 800))
assert np.allclose(np.linalg.inv(a) @ a, np.eye(800), atol=1e-6)
assert len(os.listdir("/proc/self/task")) >= blas["num_threads"], "no thread was started"
mapped = np.memmap("/tmp/mapped", dtype="f8", mode="w+", shape=a.shape)
mapped[:] = a
mapped.flush()
assert np.array_equal(np.memmap("/tmp/mapped", dtype="f8", mode="r", shape=a.shape), a)

ids, x = zip(*cases.read())
cases.write(ids, 1 / (1 + np.exp(-np.array(x))))
