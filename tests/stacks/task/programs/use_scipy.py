"""scipy: linear algebra on OpenBLAS' threads, threaded transforms, sparse solvers, optimisation."""
import numpy as np
from scipy import fft, linalg, optimize, sparse
from scipy.sparse import linalg as sparse_linalg

import cases

rng = np.random.default_rng(1)
a = rng.standard_normal((500, 500))
values, vectors = linalg.eigh(a + a.T)
assert np.allclose((a + a.T) @ vectors, vectors * values)
wave = rng.standard_normal((64, 4096))
assert np.allclose(fft.irfft(fft.rfft(wave, workers=2), workers=2), wave)
band = sparse.diags([-1, 2.1, -1], [-1, 0, 1], shape=(2000, 2000), format="csc")
right = np.ones(2000)
assert np.allclose(band @ sparse_linalg.spsolve(band, right), right)

ids, x = zip(*cases.read())
x = np.array(x)
found = optimize.minimize(lambda w: np.sum((w[0] * x + w[1] - (x > 0)) ** 2), [0, 0])
assert found.success, found.message
cases.write(ids, np.clip(found.x[0] * x + found.x[1], 0, 1))
