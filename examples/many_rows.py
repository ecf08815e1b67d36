r"""
How many landmarks for many rows?
=================================

The kernel matrix of 100,000 rows has 10,000,000,000 entries. Criteria based on sums, such as
``sm``, never store it. Criteria that fit a model use *landmarks* instead of all rows, by default
beyond 10,000 rows. How many are enough?
"""

import time
import warnings

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits, make_circles
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

import kernelect as ke

# %%
# What will a call take? ``memory_estimate`` says so before it starts.
for rows in (1_000, 10_000, 100_000):
    sums, whole, landmarks = (
        ke.memory_estimate((rows, 20), criteria=criterion, landmarks=m, n_threads=1) / 1e9
        for criterion, m in [("sm", None), ("loo", None), ("loo", 1000 if rows > 1000 else 500)]
    )
    print(f"{rows:7d} rows: sm {sums:.3f} GB, loo {whole:6.2f} GB, by landmarks {landmarks:.3f} GB")

# %%
# On a small table we can afford both, and compare: odd against even digits, from 5 principal
# components. ``m_sensitivity`` is how much worse half of the landmarks predict. It needs no test
# rows, and above 2 % a warning recommends more landmarks.
X, y = load_digits(return_X_y=True)
X, X_new, y, y_new = train_test_split(X, y % 2, test_size=0.3, stratify=y, random_state=0)
reduction = PCA(5, whiten=True, random_state=0).fit(X)
X, X_new = reduction.transform(X), reduction.transform(X_new)

whole = ke.LSSVMClassifier("auto", solver="exact").fit(X, y)
exact = 100 * (1 - whole.score(X_new, y_new))
print(f"all {len(y)} rows: {exact:.1f} % of new rows are wrong, {whole.kernel_}")
counts, errors = [25, 50, 100, 200, 400], []
for m in counts:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is printed
        chosen = ke.select(X, y, lam="auto", landmarks=m)
    model = ke.LSSVMClassifier(chosen.kernel, lam=chosen.lam, landmarks=m).fit(X, y)
    errors.append(100 * (1 - model.score(X_new, y_new)))
    print(f"{m:4d} landmarks: {errors[-1]:.1f} %, half of them lose {chosen.m_sensitivity:.0%}")

figure, axes = plt.subplots(figsize=(5.6, 3.6), layout="constrained")
axes.semilogx(counts, errors, "o-", color=ke.plots.COLOURS[0], label="landmarks")
axes.axhline(exact, color="grey", linestyle="--", linewidth=1, label="all rows")
axes.set(xlabel="landmarks", ylabel="errors on new rows, %", ylim=(0, None))
axes.set_xticks(counts, [str(m) for m in counts])
axes.minorticks_off()
axes.legend()
plt.show()

# %%
# With 20,000 rows landmarks are the default. Here 100 are plenty, because there are only two
# columns and the kernel is wide. Landmarks also provide features for any linear learner.
X, y = make_circles(20_000, noise=0.2, factor=0.5, random_state=0)
start = time.process_time()
chosen = ke.select(X, y, lam="auto", landmarks=100)
print(chosen)
print(f"{time.process_time() - start:.1f} s; half of them lose {chosen.m_sensitivity:.2%}")
linear = make_pipeline(chosen.feature_map(), LogisticRegression()).fit(X, y)
print(f"logistic regression on {linear[0].transform(X[:1]).shape[1]} features: ", end="")
print(f"{linear.score(*make_circles(5_000, noise=0.2, factor=0.5, random_state=1)):.4f} right")
