"""
Text
====

Sparse rows are taken as they are. The texts are sentences from the descriptions of the data sets
that scikit-learn ships, and the task is to say which data set a sentence is about.
"""

import re

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import kernelect as ke

loaders = [load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine]
texts, labels = [], []
for loader in loaders:
    lines = re.split(r"[\n.:;]+", loader().DESCR)
    sentences = [line.strip() for line in lines if len(line.split()) >= 4]
    texts += sentences
    labels += [loader.__name__.removeprefix("load_")] * len(sentences)
labels = np.array(labels)
print(f"{len(texts)} sentences about {len(loaders)} data sets")

# %%
# All candidates by three criteria; a star marks each winner.
rows = TfidfVectorizer(sublinear_tf=True).fit_transform(texts)
candidates = [ke.Linear(), *ke.polynomial_grid(2, 3), *ke.gaussian_grid(-3, 3)]
table = ke.evaluate(rows, labels, candidates, ["sm", "kta", "loo"])
print(table)

# %%
# In a pipeline, the election is part of the fit:
model = make_pipeline(TfidfVectorizer(sublinear_tf=True), ke.KernelSelector(SVC(C=10), candidates))
print(f"accuracy in 5 folds: {cross_val_score(model, texts, labels, cv=5).mean():.3f}")
print(
    f"the largest class alone: {np.unique(labels, return_counts=True)[1].max() / len(labels):.3f}"
)

# %%
# Candidates of several families have no common axis; they stand side by side as they were given.
table.plot()
plt.show()
