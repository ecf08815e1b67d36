"""
Choose a bandwidth
==================

Thirty-one Gaussian kernels are scored in one pass and a short list is verified by exact
leave-one-out. The winner goes into the SVC that you already use.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import kernelect as ke

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0, stratify=y)
scaler = StandardScaler().fit(X_train)
X_train, X_test = scaler.transform(X_train), scaler.transform(X_test)

chosen = ke.select(X_train, y_train)
print(chosen)

# %%
# What the data cannot tell from the winner, within one standard error of its held-out loss:
print("rivals:", [rival.kernel for rival in ke.rivals(chosen)])

# %%
# The winner in scikit-learn's own words:
model = SVC(**chosen.params_for(SVC)).fit(X_train, y_train)
print(f"test accuracy: {model.score(X_test, y_test):.3f}")

# %%
# The curves of the criteria over the grid, and the matrix of the winner with rows sorted by class.
chosen.plot(X=X_train)
ke.plots.kernel_matrix(chosen.kernel, X_train, y_train)
plt.show()
