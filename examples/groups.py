"""
What if rows belong together?
=============================

Thirteen people wrote the digits, one after the other. If single rows are left out, other rows by
the same hand remain in the training part, and the error looks lower than it will be for new
writers. Pass the groups, and a splitter that keeps them whole, to get exact and honest errors.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import GroupKFold

import kernelect as ke

X, y = load_digits(return_X_y=True)
X = X / 16
writer = np.arange(len(y)) * 13 // len(y)  # one after the other; borders are guessed

# %%
# Elect a kernel on the rows of six writers, in three ways: by leave-one-out, by folds that mix the
# writers, and by folds that keep each writer whole.
old = writer < 6
known = (X[old], y[old], ke.gaussian_grid(-2, 8))
tables = {
    "single rows": ke.evaluate(*known, "loo", lam=0.125, scoring="accuracy"),
    "mixed folds": ke.evaluate(*known, "cv", lam=0.125, folds=6, scoring="accuracy"),
    "whole writers": ke.evaluate(
        *known, "cv", lam=0.125, folds=GroupKFold(6), groups=writer[old], scoring="accuracy"
    ),
}
errors = {way: 100 * (1 - next(iter(t.scores.values()))) for way, t in tables.items()}

# %%
# The other seven writers are new. Which of the three curves predicted their error?
grid = known[-1]
machines = [ke.LSSVMClassifier(kernel, lam=0.125).fit(X[old], y[old]) for kernel in grid]
errors["strangers"] = np.array([100 * (1 - m.score(X[~old], y[~old])) for m in machines])
for way, curve in errors.items():
    print(f"{way:14} least error {curve.min():4.1f} % at {grid[int(np.argmin(curve))]}")

figure, axes = plt.subplots(figsize=(5.8, 3.8), layout="constrained")
widths = [kernel.tau for kernel in grid]
for (way, curve), dash, colour in zip(
    errors.items(), ["-", "--", "-.", ":"], [*ke.plots.COLOURS[:3], "black"], strict=True
):
    axes.plot(widths, curve, dash, color=colour, label=way)
axes.set_xscale("log", base=2)
axes.set(xlabel=r"squared width $\tau$", ylabel="error, %", ylim=(0, None))
figure.legend(loc="outside upper center", ncols=4)
plt.show()
