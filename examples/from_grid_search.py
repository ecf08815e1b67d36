"""
From grid search to kernelect
=============================

What does it take to replace ``GridSearchCV``? One line. What does it save? Nearly all of the time:
a grid search trains a model for every pair of parameters and every fold, while an election
factorises a few kernel matrices. What does it cost in accuracy? See the last line of the output.
"""

import time

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import kernelect as ke

grid = {"gamma": np.logspace(-4, 1, 6), "C": np.logspace(-1, 3, 5)}
ways = {
    "GridSearchCV, 6 x 5 pairs": GridSearchCV(SVC(), grid, cv=5),  # before
    "KernelSelector, 31 widths": ke.KernelSelector(SVC(), C="auto"),  # after
    'gamma="scale", C=1': SVC(),  # no search at all
}

# %%
# Three data sets, each split once; for the digits, the task is to tell odd from even. Times are CPU
# seconds on one core.
digits, number = load_digits(return_X_y=True)
sets = {
    "breast cancer": load_breast_cancer(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "odd digits": (digits[:600], number[:600] % 2),
}
seconds, errors = {way: [] for way in ways}, {way: [] for way in ways}
for name, (X, y) in sets.items():
    train, test, y_train, y_test = train_test_split(X, y, test_size=0.4, random_state=1, stratify=y)
    for way, tuned in ways.items():
        model = make_pipeline(StandardScaler(), tuned)
        start = time.process_time()
        model.fit(train, y_train)
        seconds[way].append(time.process_time() - start)
        errors[way].append(100 * (1 - model.score(test, y_test)))
        print(f"{name:14} {way:26} {seconds[way][-1]:6.3f} s {errors[way][-1]:5.1f} % wrong")

searched, elected, _ = ways
faster = sum(seconds[searched]) / sum(seconds[elected])
behind = np.mean(errors[elected]) - np.mean(errors[searched])
print(f"\nOn the three together the election is {faster:.0f} times as fast as the grid search;")
print(f"its mean error is {abs(behind):.1f} points {'higher' if behind > 0 else 'lower'}.")

# %%
# There is one point for each data set; further left is faster, lower is better. On data as easy as
# these a few rows decide who is ahead (one row of the wine's test part is 1.4 %), and no search at
# all does nearly as well. :doc:`/papers/regret` compares criteria on 56 sets, and the guide says
# where :doc:`a search pays </guide/choosing>`.
figure, axes = plt.subplots(figsize=(5.6, 3.6), layout="constrained")
for way, marker, colour in zip(ways, "so^", ke.plots.COLOURS, strict=False):
    axes.plot(seconds[way], errors[way], marker, color=colour, markersize=8, label=way)
axes.set(xscale="log", xlabel="seconds to fit, search included", ylabel="test error, %")
figure.legend(loc="outside upper center", ncols=2)
plt.show()
