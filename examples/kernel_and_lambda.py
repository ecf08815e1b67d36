r"""
Kernel and regularisation together
==================================

A narrow kernel with a large :math:`\lambda` and a wide one with a small :math:`\lambda` can fit
equally well: the losses form a valley in the plane of both. Learners with ``kernel="auto"`` search
that plane when they are fitted, and then have exact leave-one-out predictions.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kernelect as ke

X, y = load_diabetes(return_X_y=True)
rows = StandardScaler().fit_transform(X)

model = ke.LSSVMRegressor("auto").fit(rows, y)
print(f"kernel {model.kernel_}, lambda {model.lam_:.3g}")
print(f"R^2 of the exact leave-one-out predictions: {model.loo_score_:.3f}")

# %%
# Leave-one-out is a little optimistic about the kernel that it elected. Refits show how much:
refits = cross_val_score(make_pipeline(StandardScaler(), ke.LSSVMRegressor("auto")), X, y, cv=5)
print(f"R^2 by refitting in 5 folds, election included: {refits.mean():.3f}")

# %%
# The whole plane, of which the search above computed only a few points:
lams = list(np.exp2(np.arange(-8.0, 8.0)))
plane = ke.evaluate(rows, y, ke.gaussian_grid(-2, 14), "loo", lam=lams)
axes = ke.plots.lambda_map(plane)
axes.plot(model.lam_, model.kernel_.tau, "o", markersize=12, markerfacecolor="none", color="white")
axes.annotate(
    "found by the search",
    (model.lam_, model.kernel_.tau),
    (10, -14),
    color="white",
    textcoords="offset points",
)
plt.show()
