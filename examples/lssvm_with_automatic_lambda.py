"""
LSSVM with automatic lambda
===========================

The least-squares learners elect their kernel and their regularisation together. Leave-one-out
predictions are exact and come with the fit.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kernelect as ke

X, y = load_diabetes(return_X_y=True)
X = StandardScaler().fit_transform(X)

model = ke.LSSVMRegressor().fit(X, y)
print(f"kernel {model.kernel_}, lambda {model.lam_:.3g}")
print(f"R^2 of the exact leave-one-out predictions: {model.loo_score_:.3f}")

# %%
# Leave-one-out is a little optimistic where it elected the kernel. Refits say how much:
refits = cross_val_score(make_pipeline(StandardScaler(), ke.LSSVMRegressor()), X, y, cv=5)
print(f"R^2 by refitting in 5 folds, election included: {refits.mean():.3f}")

# %%
# The whole plane of kernels and lambdas, where the search above looked at a few points only:
plane = ke.evaluate(X, y, ke.gaussian_grid(-2, 14), "loo", lam=list(np.exp2(np.arange(-8.0, 6.0))))
ke.plots.lambda_map(plane)
plt.show()
