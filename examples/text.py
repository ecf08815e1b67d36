"""
Which kernel for text?
======================

Sparse rows stay sparse, even with thousands of words. The texts are the first lines of
scikit-learn's own documentation of each class and function; the task is to tell which module they
describe.
"""

from importlib import import_module

import matplotlib.pyplot as plt
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import kernelect as ke

modules = ["cluster", "datasets", "decomposition", "ensemble", "linear_model", "metrics"]
texts, y = [], []
for module in modules:
    room = import_module(f"sklearn.{module}")
    about = [getattr(room, name).__doc__ or "" for name in sorted(room.__all__)]
    texts += [text[:600] for text in about if len(text) > 100]
    y += [module] * (len(texts) - len(y))
print(f"{len(texts)} texts from {len(modules)} modules")

# %%
# Linear, polynomial or Gaussian? On rows of length one, as tf-idf makes them, the comparison is
# fair.
words = TfidfVectorizer(sublinear_tf=True, stop_words="english")
rows = words.fit_transform(texts)
print(f"{rows.shape[1]} words, {rows.nnz / rows.shape[0]:.0f} in a text")

candidates = [ke.Linear(), *ke.polynomial_grid(2, 3), *ke.gaussian_grid(-3, 3)]
table = ke.evaluate(rows, y, candidates, ["kta", "loo"], lam=[0.1, 0.3, 1.0], scoring="accuracy")
print(table)

# %%
# In a pipeline, words are counted and the kernel is elected on the training part of each fold:
model = make_pipeline(words, ke.KernelSelector(SVC(), candidates, C="auto"))
print(f"accuracy in 5 folds: {cross_val_score(model, texts, y, cv=5).mean():.3f}")
print(f"the largest module alone: {max(map(y.count, modules)) / len(y):.3f}")

# %%
# Candidates of several families have no common axis, so they are shown in the order given.
table.plot()
plt.show()
