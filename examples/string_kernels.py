r"""
How do I use my own kernels, such as string kernels?
====================================================

Kernels on strings, graphs or trees are given as matrices. Here the rows are the names of classes
and functions in scikit-learn, and the task is to tell which module a name belongs to. A
:math:`p`-spectrum kernel counts the substrings of :math:`p` letters that two names share. How long
should they be?
"""

from importlib import import_module

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC

import kernelect as ke

modules = ["cluster", "datasets", "ensemble", "linear_model", "metrics", "preprocessing"]
public = {module: sorted(import_module(f"sklearn.{module}").__all__) for module in modules}
names = np.concatenate(list(public.values()))
y = np.repeat(modules, [len(listed) for listed in public.values()])
print(f"{len(names)} names, among them {', '.join(names[::50])}")


# %%
# One matrix for each length, normalised so that long names do not count for more.
def spectrum_kernel(p):
    """Count shared substrings of p letters."""
    letters = CountVectorizer(analyzer="char", ngram_range=(p, p), lowercase=False)
    counts = letters.fit_transform([f"<{name}>" for name in names])
    shared = (counts @ counts.T).toarray().astype(float)
    size = np.sqrt(np.maximum(shared.diagonal(), 1.0))
    return shared / np.outer(size, size)


lengths = np.arange(1, 9)
matrices = [spectrum_kernel(p) for p in lengths]
table = ke.evaluate(None, y, matrices, ["kta", "loo"], scoring="accuracy")
print(table)

# %%
# Three letters. The matrix of the winner, its rows in the order of the modules, shows why:
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
accuracy = table.scores["loo(scoring='accuracy')"]
left.plot(lengths, accuracy, "o-", color=ke.plots.COLOURS[0])
left.set(xlabel="letters $p$", ylabel="leave-one-out accuracy", xticks=lengths, ylim=(0, 1))
ke.plots.kernel_matrix(matrices[int(np.argmax(accuracy))], y=y, ax=right)
plt.show()

# %%
# A sum over several lengths is a candidate like any other. For scikit-learn's cross-validation,
# wrap the matrices in a view, which splits rows and columns together:
matrices.append(sum(matrices[1:5]) / 4)  # two to five letters
model = ke.KernelSelector(SVC(), kernels="precomputed", C="auto")
scores = cross_val_score(model, ke.KernelStackView(matrices), y, cv=5)
print(f"accuracy in 5 folds: {scores.mean():.3f}")
print(f"the largest module alone: {np.mean(y == 'metrics'):.3f}")
