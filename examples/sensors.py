"""
How do I combine sensors, each with its own kernel?
===================================================

Columns often come in groups: instruments, sources, kinds of measurement. ``on_columns`` gives each
group its own kernel, and kernel learning finds their weights. In the breast-cancer data, each
property of the cells appears three times: as its mean, its standard error and its worst value.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import kernelect as ke

X, y = load_breast_cancer(return_X_y=True)
groups = {"mean": slice(0, 10), "standard error": slice(10, 20), "worst": slice(20, 30)}

# %%
# How good is each group by itself, by exact leave-one-out?
rows = StandardScaler().fit_transform(X)
for name, columns in groups.items():
    alone = ke.select(rows[:, columns], y, lam="auto", scoring="accuracy")
    print(f"{name:15} {alone.kernel!s:20} accuracy {alone.score:.3f}")

# %%
# Each group at four widths makes twelve kernels, of which the learner keeps a few. The weights show
# which groups matter, and at which widths.
widths = [2.0, 8.0, 32.0, 128.0]
kernels = [
    ke.on_columns(columns, ke.Gaussian(tau)) for columns in groups.values() for tau in widths
]
learned = ke.MKLClassifier("fkl", kernels, C=10.0).fit(rows, y)
weights = learned.candidate_weights_.reshape(len(groups), len(widths))

figure, axes = plt.subplots(figsize=(5.6, 3.0), layout="constrained")
shades = axes.imshow(weights, cmap="Blues", vmin=0, aspect="auto")
for (row, column), weight in np.ndenumerate(weights):
    if weight > 0.005:
        dark = weight > 0.6 * weights.max()
        axes.text(
            column, row, f"{weight:.2f}", ha="center", va="center", color="w" if dark else "k"
        )
axes.set_xticks(range(len(widths)), [f"{tau:g}" for tau in widths])
axes.set_yticks(range(len(groups)), list(groups))
axes.set_xlabel(r"squared width $\tau$")
figure.colorbar(shades, label="weight of the kernel")
plt.show()

# %%
# Is that better than one kernel on all columns? Cross-validation decides: here the two are level,
# and the simpler one will do.
rivals = {
    "learned weights": ke.MKLClassifier("fkl", kernels, C=10.0),
    "one kernel on all columns": ke.KernelSelector(SVC(), C="auto"),
}
for name, model in rivals.items():
    scores = cross_val_score(make_pipeline(StandardScaler(), model), X, y, cv=5)
    print(f"{name}: accuracy {scores.mean():.3f} +- {scores.std() / np.sqrt(5):.3f}")
