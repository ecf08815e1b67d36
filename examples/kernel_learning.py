"""
Learn a combination of kernels
==============================

Give each group of columns a kernel of its own and let the learner weigh them. Only the first group
says anything about the labels here, and the weights show it.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC

import kernelect as ke

random = np.random.default_rng(0)
X = random.normal(size=(200, 6))
y = (X[:, 0] ** 2 + X[:, 1] ** 2 > 1.4).astype(int)

groups = {"telling": [0, 1], "noise a": [2, 3], "noise b": [4, 5]}
kernels = [ke.on_columns(columns, ke.Gaussian(1.0)) for columns in groups.values()]

learned = ke.MKLClassifier(method="alignf", kernels=kernels).fit(X, y)
for name, weight in zip(groups, learned.candidate_weights_, strict=True):
    print(f"{name}: {weight:.3f}")

# %%
# Is that better than one kernel on all columns?
one = ke.KernelSelector(SVC(), criterion="kta")  # the best Gaussian on all columns
for name, model in {"learned weights": learned, "one kernel on all columns": one}.items():
    print(f"accuracy with {name}: {cross_val_score(model, X, y, cv=5).mean():.3f}")

# %%
# The weights:
figure, axes = plt.subplots(figsize=(5.0, 3.0), layout="constrained")
axes.bar(list(groups), learned.candidate_weights_, color=ke.plots.COLOURS[0])
axes.set_ylabel("weight of the kernel")
axes.spines[["top", "right"]].set_visible(False)
plt.show()
