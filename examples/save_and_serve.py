"""
How do I save a model and serve it elsewhere?
=============================================

A selection is a few numbers. They are saved in a readable JSON file, and loading it executes no
code. The fitted model is a scikit-learn estimator and can be stored like any other.
"""

import json
import pickle
import tempfile
import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import kernelect as ke

X, y = load_breast_cancer(return_X_y=True)
model = make_pipeline(StandardScaler(), ke.KernelSelector(SVC(), C="auto")).fit(X[:400], y[:400])
folder = Path(tempfile.mkdtemp())

# %%
# Save the decision, with all its scores, as JSON. What is loaded equals what was saved.
ke.save(model[-1].result_, folder / "chosen.json")
chosen = ke.load(folder / "chosen.json")
print(chosen == model[-1].result_, chosen.kernel)
print(json.dumps(json.loads((folder / "chosen.json").read_text())["kernel"]))

# %%
# Save the fitted model for the machine that serves it. Pickle files run code when they are loaded,
# so load only your own.
(folder / "model.pickle").write_bytes(pickle.dumps(model))
served = pickle.loads((folder / "model.pickle").read_bytes())
print("same answers:", np.array_equal(served.predict(X[400:]), model.predict(X[400:])))
for file in sorted(folder.iterdir()):
    print(f"{file.name}: {file.stat().st_size / 1024:.0f} kB")

# %%
# The server does not even need this library: the parameters rebuild the machine in scikit-learn.
plain = make_pipeline(StandardScaler(), SVC(**model[-1].best_params_)).fit(X[:400], y[:400])
print("same answers:", np.array_equal(plain.predict(X[400:]), model.predict(X[400:])))

# %%
# How long does an answer take, for one row and for many at once?
sizes, times = [1, 10, 100, 1000, 10_000], []
many = np.resize(X, (sizes[-1], X.shape[1]))
for size in sizes:
    repeated = []
    for _ in range(5):
        start = time.perf_counter()
        served.predict(many[:size])
        repeated.append(time.perf_counter() - start)
    times.append(1e6 * min(repeated) / size)
print(f"{times[0]:.0f} microseconds for a row by itself, {times[-1]:.1f} among many")

figure, axes = plt.subplots(figsize=(5.0, 3.4), layout="constrained")
axes.loglog(sizes, times, "o-", color=ke.plots.COLOURS[0])
axes.set(xlabel="rows in a call", ylabel="microseconds a row")
plt.show()
