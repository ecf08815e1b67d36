r"""
Why is a kernel good?
=====================

A criterion gives a number; the spectrum shows the reason. The eigenvalues of a kernel matrix say
how a kernel shares its weight among directions, and the labels' energy :math:`\langle y, v_i
\rangle^2` says in which of these directions the answer lies. A good kernel has most of it at a
few large eigenvalues.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler

import kernelect as ke

X, y = load_breast_cancer(return_X_y=True)
X = StandardScaler().fit_transform(X)

# %%
# Three kernels: far too narrow, elected, far too wide.
chosen = ke.select(X, y)
kernels = [ke.Gaussian(1.0), chosen.kernel, ke.Gaussian(2.0**14)]
notes = ["too narrow", "elected", "too wide"]
print(ke.evaluate(X, y, kernels, ["sm", "ckta", "loo"]))

# %%
# How fast do the eigenvalues decay? A narrow kernel has a flat spectrum, close to the identity's. A
# wide one has nearly all its weight on one direction.
ke.plots.spectra(kernels, X, notes=notes)
plt.show()

# %%
# Where are the labels? There is one point per eigenvalue; a good kernel has high points on the
# right.
ke.plots.label_energy(kernels, X, y, notes=notes)
plt.show()

# %%
# The same, summed from the right: how much of the labels the leading directions hold.
ke.plots.label_energy(kernels, X, y, notes=notes, cumulative=True)
plt.show()

# %%
# The matrix itself, its rows sorted by class: two bright blocks.
ke.plots.kernel_matrix(chosen.kernel, X, y)
plt.show()
