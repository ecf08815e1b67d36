"""
How sure am I of the elected kernel?
====================================

The winner of an election is the best kernel for these rows. Would another sample elect it too?
There are four cheap ways to find out: rivals within one standard error, the agreement of other
criteria, elections on parts of the rows, and an election with shuffled labels.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.preprocessing import StandardScaler

import kernelect as ke

X, y = load_diabetes(return_X_y=True)
X = StandardScaler().fit_transform(X)
grid = ke.gaussian_grid(-2, 12)
chosen = ke.select(X, y, grid, criterion="loo")
print(chosen)

# %%
# Rivals are candidates whose held-out loss is within one standard error of the winner's. If there
# are several, the widest is the cautious choice.
rivals = ke.rivals(chosen)
print("rivals:", ", ".join(str(rival.kernel) for rival in rivals))
cautious = ke.select(X, y, grid, criterion="loo", rule="one_se")
print("cautious choice:", cautious.kernel)

# %%
# Do other criteria, which look at the matrix in other ways, rank the kernels alike?
print(ke.agreement(ke.evaluate(X, y, grid, ["loo", "gcv", "sm", "kta", "ckta"])))

# %%
# Hold the same election on halves of the rows, and once with the labels shuffled. The picture shows
# the losses on the halves, with each winner marked: they spread over the width of the valley.
random = np.random.default_rng(0)
widths = [kernel.tau for kernel in grid]
figure, axes = plt.subplots(figsize=(6.2, 3.8), layout="constrained")
winners = []
for _ in range(20):
    half = random.permutation(len(y))[: len(y) // 2]
    loss = ke.evaluate(X[half], y[half], grid, "loo").scores["loo"] / np.var(y[half])
    winners.append(widths[int(np.argmin(loss))])
    axes.plot(widths, loss, color=ke.plots.COLOURS[0], alpha=0.35, linewidth=0.9)
    axes.plot(winners[-1], loss.min(), "o", color=ke.plots.COLOURS[1], markersize=4)
shuffled = ke.evaluate(X, random.permutation(y), grid, "loo").scores["loo"] / np.var(y)
axes.plot(widths, shuffled, "--", color="0.4")
axes.annotate("labels shuffled", (widths[4], shuffled[4]), (0, 6), textcoords="offset points")
axes.set_xscale("log", base=2)
axes.set(xlabel=r"squared width $\tau$", ylabel="held-out share of the variance")
plt.show()

for tau in sorted(set(winners)):
    print(f"tau = {tau:5g} wins on {winners.count(tau):2d} of 20 halves")
