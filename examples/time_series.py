"""
How do I choose a kernel for a time series?
===========================================

Leave-one-out would use tomorrow to predict today. Pass ``TimeSeriesSplit`` as ``folds`` and select
by ``"cv"`` instead: the errors are exact and respect time. The data, a daily share price and its
volume, ship with matplotlib; the task is to predict tomorrow's trading volume.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.cbook import get_sample_data
from numpy.lib.stride_tricks import sliding_window_view
from sklearn.model_selection import TimeSeriesSplit
from sklearn.preprocessing import StandardScaler

import kernelect as ke

days = get_sample_data("goog.npz")["price_data"]
volume = np.log(days["volume"][1:])
change = np.abs(np.diff(np.log(days["adj_close"])))
past = [sliding_window_view(series[:-1], 10) for series in (volume, change)]
X, y = np.hstack(past), volume[10:]
date = days["date"][11:]
print(f"{len(y)} days from {date[0]} to {date[-1]}, ten days of volume and change before each")

# %%
# The last year is kept for testing. The years before elect a kernel, once by leave-one-out and once
# by splits in time.
old = date < np.datetime64("2007-10-01")
scaler = StandardScaler().fit(X[old])
train, test = scaler.transform(X[old]), scaler.transform(X[~old])
lams = list(2.0 ** np.arange(-4, 5, 2))
ways = {
    "loo": {"criterion": "loo"},
    "time": {"criterion": "cv", "folds": TimeSeriesSplit(6)},
}
for name, how in ways.items():
    chosen = ke.select(train, y[old], ke.gaussian_grid(4, 12), lam=lams, scoring="r2", **how)
    model = ke.LSSVMRegressor(chosen.kernel, lam=chosen.lam).fit(train, y[old])
    print(
        f"{name}: {chosen.kernel!s:19} lambda {chosen.lam:g}, R^2 promised {chosen.score:.3f}, "
        f"in the last year {model.score(test, y[~old]):.3f}"
    )
print(f"as today: {1 - np.mean((y[~old] - X[~old, 9]) ** 2) / np.var(y[~old]):.3f}")

# %%
# Leave-one-out was too optimistic, because neighbouring days are alike. Splits in time are too
# pessimistic, because their first training parts are short, but they elected the better model. Its
# predictions for the last year:
figure, axes = plt.subplots(figsize=(6.8, 3.4), layout="constrained")
axes.plot(date[~old], y[~old] / np.log(10), ".", color="0.6", label="traded")
axes.plot(date[~old], model.predict(test) / np.log(10), color=ke.plots.COLOURS[0], label="foretold")
axes.set_ylabel("shares a day, powers of ten")
axes.xaxis.set_major_locator(plt.matplotlib.dates.MonthLocator(interval=3))
axes.xaxis.set_major_formatter(plt.matplotlib.dates.DateFormatter("%b %Y"))
figure.legend(loc="outside upper center", ncols=2)
plt.show()
