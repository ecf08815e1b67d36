"""
How do I compare criteria for a paper?
======================================

Criteria share their computations, so comparing many costs about as much as the most expensive one
alone. On five problems with six splits each: how much test error does each criterion's choice lose
compared with the best candidate in hindsight?
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import ShuffleSplit
from sklearn.preprocessing import StandardScaler

import kernelect as ke

digits, number = load_digits(return_X_y=True)
problems = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)}
X, y = load_breast_cancer(return_X_y=True)
problems["breast cancer"] = X[::2], y[::2]
for one, other in [(3, 8), (1, 7)]:
    pair = np.isin(number, [one, other])
    problems[f"{one} or {other}"] = digits[pair], number[pair]

# %%
# The yardstick is a least-squares machine with lambda = 1, as in the criteria that fit one. The
# table has one row for each problem, split and criterion.
grid = ke.gaussian_grid(-1, 11)
asked = [
    *(ke.criteria.LOO(), ke.criteria.CV(), ke.criteria.GCV(), ke.criteria.SM()),
    *(ke.criteria.KTA(), ke.criteria.CKTA(), ke.criteria.KS()),
]
criteria = [each.key for each in asked]
rows = []
for name, (X, y) in problems.items():
    for split, (train, test) in enumerate(
        ShuffleSplit(6, train_size=90, test_size=60, random_state=0).split(X)
    ):
        scaler = StandardScaler().fit(X[train])
        learn, judge = scaler.transform(X[train]), scaler.transform(X[test])
        machines = [ke.LSSVMClassifier(k, lam=1.0).fit(learn, y[train]) for k in grid]
        errors = np.array([100 * (1 - m.score(judge, y[test])) for m in machines])
        table = ke.evaluate(learn, y[train], grid, asked)
        for key in criteria:
            lost = errors[table.best(key).index] - errors.min()
            rows.append({"problem": name, "split": split, "criterion": key, "lost": lost})
results = pd.DataFrame(rows)

# %%
# The table, ready for the paper:
means = results.pivot_table("lost", "problem", "criterion")[criteria]
means.loc["mean"] = means.mean()
print(means.to_latex(float_format="%.1f"))

# %%
# And the picture: the mean of each criterion over the splits, with its standard error.
figure, axes = plt.subplots(figsize=(5.6, 3.6), layout="constrained")
for place, key in enumerate(reversed(criteria)):
    of_problems = means[key].drop("mean")
    axes.plot(of_problems, [place] * len(of_problems), ".", color="0.6")
    splits = results[results.criterion == key].groupby("split")["lost"].mean()
    axes.errorbar(
        splits.mean(), place, xerr=splits.sem(), fmt="o", color=ke.plots.COLOURS[0], capsize=3
    )
axes.set_yticks(range(len(criteria)), criteria[::-1])
axes.set_xlabel("points of test error lost (grey: single problems)")
plt.show()
