"""
Compare criteria
================

Criteria of the same evidence share one computation, so asking for ten costs about what the most
expensive one costs. Here the classes interleave, which is hard for criteria that compare class
means: they prefer a wide kernel, the alignment a narrow one, and leave-one-out decides between
them.
"""

import matplotlib.pyplot as plt
import numpy as np

import kernelect as ke

random = np.random.default_rng(0)
X = random.uniform(-3, 3, size=(400, 2))
y = (np.sin(2 * X[:, 0]) * np.sin(2 * X[:, 1]) > 0).astype(int)  # a chess board

table = ke.evaluate(X, y, criteria=["sm", "kta", "ckta", "kcsm", "fsm", "loo", "cv"])
for key in table.scores:
    best = table.best(key)
    held_out = table.scores["cv"][best.index]
    print(f"{key:5s} elects {best.kernel!r:28} whose 5-fold loss is {held_out:.3f}")

# %%
# Rank correlations between the criteria:
print(ke.agreement(table))

# %%
# The same on a common axis, each winner marked:
table.plot(X=X)
plt.show()
