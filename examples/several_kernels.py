"""
Is one kernel enough?
=====================

An election picks one kernel from a grid. Several kernels together may predict better, and so may
one width per column. `kernel="best"` tries all of this and reports what it did.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

import kernelect as ke

WAYS = ["auto", "committee", "refined", "best"]


def left_over(X, y, seed):
    """Share of the variance that each way leaves on new rows, and the last model."""
    old, new, target, wanted = train_test_split(X, y, train_size=300, random_state=seed)
    scaler = StandardScaler().fit(old)
    shares = []
    for way in WAYS:
        model = ke.LSSVMRegressor(way).fit(scaler.transform(old), target)
        wrong = model.predict(scaler.transform(new)) - wanted
        shares.append(100 * np.mean(wrong**2) / np.var(wanted))
    return shares, model


# %%
# This target depends on five of ten columns, on each in a different way, so widths for the columns
# are what counts. The report compares the models on rows that they were not chosen on.
friedman = make_friedman1(1000, noise=0.5, random_state=0)
splits = [left_over(*friedman, seed) for seed in range(3)]
print(splits[0][1].report_)

# %%
# How much of the variance remains on new rows? There are three splits, each drawn as a line.
figure, axes = plt.subplots(figsize=(5.6, 3.6), layout="constrained")
for (shares, _), colour in zip(splits, ke.plots.COLOURS, strict=False):
    axes.plot(WAYS, shares, "o-", color=colour, linewidth=0.8)
axes.set(xlabel="kernel=", ylabel="variance left on new rows, %", ylim=(0, None))
plt.show()

# %%
# A committee can also be asked for directly. It shows its members and their weights:
model = ke.LSSVMRegressor("committee").fit(StandardScaler().fit_transform(friedman[0]), friedman[1])
print(model.committee_)

# %%
# The diabetes data have much noise and few rows. Nothing beats one kernel there, so one kernel it
# is.
shares, model = left_over(*load_diabetes(return_X_y=True), 0)
print(model.report_)
print(", ".join(f"{way}: {share:.1f} %" for way, share in zip(WAYS, shares, strict=True)))
