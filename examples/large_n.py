"""
Many rows
=========

The O(n^2) criteria never store a kernel matrix, so memory grows with n and not with its square. The
estimate tells what a call will need before it starts.
"""

import time

import matplotlib.pyplot as plt
import numpy as np

import kernelect as ke

for rows in (1_000, 10_000, 100_000):
    streamed = ke.memory_estimate((rows, 20), criteria="sm", n_threads=1) / 1e9
    factored = ke.memory_estimate((rows, 20), criteria="loo", n_threads=1) / 1e9
    print(f"{rows:7d} rows: sm needs {streamed:6.3f} GB, loo {factored:6.1f} GB")

# %%
# What 31 kernels take by the clock, with twice as many rows each time:
random = np.random.default_rng(0)
sizes, seconds, winners = [500, 1000, 2000, 4000], [], []
X = random.normal(size=(sizes[-1], 20))
y = (X[:, 0] * X[:, 1] + 0.5 * random.normal(size=len(X)) > 0).astype(int)
for n in sizes:
    start = time.perf_counter()
    winners.append(ke.select(X[:n], y[:n], criterion="sm").kernel)
    seconds.append(time.perf_counter() - start)
print("winners by sm:", winners)

figure, axes = plt.subplots(figsize=(5.5, 3.5), layout="constrained")
axes.plot(sizes, seconds, marker="o", color=ke.plots.COLOURS[0])
axes.set_xlabel("rows")
axes.set_ylabel("seconds for 31 kernels by sm")
axes.set_xticks(sizes, [str(n) for n in sizes])
axes.set_ylim(bottom=0)
axes.grid(color="0.9")
plt.show()
