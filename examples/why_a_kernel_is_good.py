r"""
Why a kernel is good
====================

A criterion gives a number; the spectrum shows the reason. The eigenvalues of a kernel matrix say
how a kernel shares its weight among directions, and the labels' energy :math:`\langle y, v_i
\rangle^2` says in which of these directions the answer lies. A good kernel has it at few, large
eigenvalues.
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
print(ke.evaluate(X, y, kernels, ["sm", "ckta", "loo"]))

# %%
# How eigenvalues decay. Narrow: a flat spectrum, close to the identity's. Wide: nearly all weight
# on one direction.
ke.plots.spectra(kernels, X)

# %%
# Where the labels are. On the left one point per eigenvalue: good ones stand on the right and high.
# On the right the same summed up from the right: how much of the labels the leading directions
# hold.
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
ke.plots.label_energy(kernels, X, y, ax=left)
left.set_title("where the labels are", loc="left", fontsize="medium")
ke.plots.label_energy(kernels, X, y, cumulative=True, ax=right)
right.set_title("the same, summed from the right", loc="left", fontsize="medium")
plt.show()
