r"""
Which gamma and C for my SVC?
=============================

One line finds both: :class:`~kernelect.KernelSelector` scores 31 widths from their kernel matrices,
verifies the best by exact leave-one-out, and sets the regularisation by the same losses. It is an
estimator like any other, so it goes into a pipeline behind the scaler.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import kernelect as ke

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0, stratify=y)

model = make_pipeline(StandardScaler(), ke.KernelSelector(SVC(), C="auto")).fit(X_train, y_train)
print(model[-1].best_params_)
print(f"test accuracy: {model.score(X_test, y_test):.3f}")

# %%
# The same in two steps, if you want the parameters rather than an estimator. ``select`` with
# ``lam="auto"`` searches width and regularisation together; ``params_for`` translates the result
# into scikit-learn's parameters.
scaler = StandardScaler().fit(X_train)
rows = scaler.transform(X_train)
chosen = ke.select(rows, y_train, lam="auto")
params = chosen.params_for(SVC)
print(params)

# %%
# Where is that among all pairs? The map shows what nobody knows in practice: the accuracy on the
# test rows for every gamma and C. The election saw only the training rows, and trained no SVM.
gammas, costs = np.logspace(-4, 1, 11), np.logspace(-2, 3, 11)
accuracy = [
    [SVC(gamma=g, C=c).fit(rows, y_train).score(scaler.transform(X_test), y_test) for g in gammas]
    for c in costs
]

figure, axes = plt.subplots(figsize=(5.6, 4.2), layout="constrained")
shades = axes.pcolormesh(gammas, costs, accuracy, cmap="Blues", vmin=0.85)
figure.colorbar(shades, label="accuracy on test rows", extend="min")
axes.plot(params["gamma"], params["C"], "*", color=ke.plots.COLOURS[1], markersize=16)
axes.annotate("elected", (params["gamma"], params["C"]), (10, 8), textcoords="offset points")
default = 1 / (rows.shape[1] * rows.var())
axes.plot(default, 1.0, "o", color="black", markersize=6)
axes.annotate('gamma="scale", C=1', (default, 1.0), (8, -14), textcoords="offset points")
axes.set(xscale="log", yscale="log", xlabel=r"$\gamma$", ylabel="$C$")
plt.show()
