"""
Regression with a Gaussian process
==================================

The kernel of a Gaussian process is usually found by maximising the marginal likelihood, with
several restarts in case of local optima. An election scores candidates by exact leave-one-out
instead: no gradients, no restarts, and any families side by side. The winner and its noise level
are passed to scikit-learn's ``GaussianProcessRegressor``.
"""

import time

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

import kernelect as ke

X, y = load_diabetes(return_X_y=True)
y = (y - y.mean()) / y.std()
X, X_test, y, y_test = train_test_split(X, y, test_size=0.3, random_state=0)
scaler = StandardScaler().fit(X)
X, X_test = scaler.transform(X), scaler.transform(X_test)

# %%
# The candidates include smooth and rough kernels. With ``bias=False`` the model that is judged is
# the process itself, whose prior has mean zero.
candidates = [*ke.gaussian_grid(0, 10), *(ke.Matern(1.5, 2.0**k) for k in range(6))]
start = time.process_time()
chosen = ke.select(X, y, candidates, lam="auto", bias=False)
params = chosen.params_for(GaussianProcessRegressor)
elected = GaussianProcessRegressor(**params).fit(X, y)
print(f"elected in {time.process_time() - start:.2f} s: {params}")
print(f"R^2 on test rows: {elected.score(X_test, y_test):.3f}")

# %%
# The usual way, from one start and from five:
for starts in (1, 5):
    start = time.process_time()
    usual = GaussianProcessRegressor(
        RBF(3.0) + WhiteKernel(0.5), n_restarts_optimizer=starts - 1, random_state=0
    ).fit(X, y)
    took = time.process_time() - start
    print(f"{starts} start(s): {took:.2f} s, R^2 {usual.score(X_test, y_test):.3f}")

# %%
# How far off may a prediction be? This library's own learner is the same process, and scales its
# standard deviations by the leave-one-out residuals:
model = ke.LSSVMRegressor(chosen.kernel, lam=chosen.lam, bias=False).fit(X, y)
mean, deviation = model.predict(X_test, return_std=True)
print("same predictions:", np.allclose(mean, elected.predict(X_test)))
inside = np.abs(y_test - mean) < 1.96 * deviation
print(f"test rows within their 95 % interval: {inside.mean():.1%}")

order = np.argsort(mean)
figure, axes = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
place = np.arange(len(mean))
low, high = mean - 1.96 * deviation, mean + 1.96 * deviation
axes.fill_between(place, low[order], high[order], color="0.9", label="95 % interval")
axes.plot(place, mean[order], color=ke.plots.COLOURS[0], label="prediction")
axes.plot(place, y_test[order], ".", color=ke.plots.COLOURS[1], label="test row")
axes.set(xlabel="test rows, by their prediction", ylabel="progression of diabetes, standardised")
figure.legend(loc="outside upper center", ncols=3)
plt.show()
