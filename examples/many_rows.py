r"""
Many rows
=========

The O(n²) criteria never store a kernel matrix, so memory grows with the rows and not with their
square. What will a call take? ``memory_estimate`` says so before it starts, and three small runs
foretell the time of a large one.
"""

import time

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

import kernelect as ke

for rows in (1_000, 10_000, 100_000):
    streamed = ke.memory_estimate((rows, 64), criteria="sm", n_threads=1) / 1e9
    factored = ke.memory_estimate((rows, 64), criteria="loo", n_threads=1) / 1e9
    print(f"{rows:7d} rows: sm needs {streamed:6.3f} GB, loo {factored:6.1f} GB")

# %%
# All 1797 digits, odd or even, and the same four times as often with every pixel a little moved.
digits, number = load_digits(return_X_y=True)
random = np.random.default_rng(0)
X = np.vstack([digits + random.normal(scale=0.5, size=digits.shape) for _ in range(4)]) / 16
y = np.tile(number % 2, 4)
order = random.permutation(len(y))

sizes = [450, 900, 1800, 3600, 7188]
seconds = {"sm": [], "auto": []}
for criterion, took in seconds.items():
    for n in [n for n in sizes if criterion == "sm" or n <= 1800]:
        part = order[:n]
        start = time.process_time()
        winner = ke.select(X[part], y[part], criterion=criterion, n_threads=1).kernel
        took.append(time.process_time() - start)
        print(f"{criterion:5} {n:5d} rows {took[-1]:6.2f} s {winner}")

# %%
# On logarithmic axes the times lie on lines, of slope 2 and near 3:
figure, axes = plt.subplots(figsize=(5.6, 3.8), layout="constrained")
for (criterion, took), marker, colour in zip(seconds.items(), "os", ke.plots.COLOURS, strict=False):
    axes.loglog(sizes[: len(took)], took, marker, linestyle="-", color=colour, label=criterion)
axes.set(xlabel="rows", ylabel="seconds for 31 kernels, one core")
axes.set_xticks(sizes, [str(n) for n in sizes])
axes.minorticks_off()
axes.legend(title="criterion")
plt.show()
