"""Predictions beside the truth, and how sure they are: panels of reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._support.arrays import FloatArray
from ._style import COLOURS, count_in_whole_numbers, new_axes, thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# More classes than these have no room for a number in every cell.
_NUMBERED = 12
_MOST_POINTS = 4000


def confusion(
    y: NDArray[Any], predicted: NDArray[Any], classes: NDArray[Any], ax: Axes | None = None
) -> Axes:
    """Draw how many rows of each class were taken for which; rows are the truth."""
    size = min(2.8 + 0.2 * len(classes), 8.0)
    axes = new_axes(ax, (size + 0.8, size))
    places = {label: k for k, label in enumerate(classes.tolist())}
    counts = np.zeros((len(classes), len(classes)), dtype=int)
    for truth, guess in zip(y.tolist(), predicted.tolist(), strict=True):
        counts[places[truth], places[guess]] += 1
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    axes.imshow(shares, cmap="Blues", vmin=0.0, vmax=1.0)
    if len(classes) <= _NUMBERED:
        for (row, column), count in np.ndenumerate(counts):
            dark = shares[row, column] > 0.55
            axes.text(
                column, row, str(count), ha="center", va="center", color="w" if dark else "#1b1f24"
            )
    labels = [str(label) if len(str(label)) <= 14 else f"{str(label)[:13]}…" for label in classes]
    step = max(len(classes) // 25, 1)
    ticks = np.arange(0, len(classes), step)
    slanted = max(map(len, labels)) > 3
    axes.set_xticks(
        ticks, labels[::step], rotation=45 if slanted else 0, ha="right" if slanted else "center"
    )
    axes.set_yticks(ticks, labels[::step])
    axes.set_xlabel("predicted")
    axes.set_ylabel("observed")
    thin(axes, grid="none", frame=True)
    return axes


def observed_and_predicted(
    y: FloatArray,
    predicted: FloatArray,
    deviation: FloatArray | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw numbers against their predictions, with bars of one deviation where these are known."""
    axes = new_axes(ax, (5.0, 4.4))
    shown = _some(len(y))
    if deviation is not None:
        axes.errorbar(
            predicted[shown],
            y[shown],
            xerr=deviation[shown],
            fmt="none",
            ecolor=COLOURS[5],
            elinewidth=0.6,
            alpha=0.5,
        )
    axes.plot(predicted[shown], y[shown], ".", color=COLOURS[0], ms=4, alpha=0.6)
    ends = [min(y.min(), predicted.min()), max(y.max(), predicted.max())]
    axes.plot(ends, ends, "-", color="#888", lw=0.9)
    axes.set_xlabel("predicted")
    axes.set_ylabel("observed")
    thin(axes)
    return axes


def residuals(
    y: FloatArray,
    predicted: FloatArray,
    deviation: FloatArray | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the distribution of residuals beside the normal one, in deviations where known."""
    axes = new_axes(ax, (5.0, 4.4))
    rest = y - predicted
    unit = deviation if deviation is not None else np.full(len(rest), rest.std() or 1.0)
    standard = np.clip(rest / unit, -5.0, 5.0)
    axes.hist(
        standard, bins=np.linspace(-5, 5, 41).tolist(), density=True, color=COLOURS[5], alpha=0.7
    )
    grid = np.linspace(-5, 5, 201)
    axes.plot(grid, np.exp(-0.5 * grid**2) / np.sqrt(2 * np.pi), "-", color=COLOURS[1], lw=1.2)
    inside = float(np.mean(np.abs(standard) <= 1.0))
    axes.set_xlabel("residual in its own deviations (beyond 5: at the edge)")
    axes.set_ylabel(f"density ({inside:.0%} within one, 68 % wanted)")
    thin(axes)
    return axes


def calibration(right: NDArray[np.bool_], sure: FloatArray, ax: Axes | None = None) -> Axes:
    """Draw how often predictions are right against how sure they are of it, in equal groups."""
    axes = new_axes(ax, (5.0, 4.4))
    groups = np.array_split(np.argsort(sure, kind="stable"), min(10, max(len(sure) // 20, 2)))
    groups = [group for group in groups if len(group)]
    said = [float(sure[group].mean()) for group in groups]
    found = np.array([right[group].mean() for group in groups])
    error = np.sqrt(found * (1 - found) / [len(group) for group in groups])
    low = min(*said, float(found.min()), 0.45) - 0.05
    axes.plot([low, 1], [low, 1], "-", color="#888", lw=0.9)
    axes.errorbar(said, found, yerr=error, fmt="o-", color=COLOURS[0], ms=4, lw=1.0, capsize=2)
    axes.set_xlim(low, 1.03)
    axes.set_ylim(low, 1.03)
    axes.set_xlabel("probability of the predicted class")
    axes.set_ylabel("share that is right")
    thin(axes)
    return axes


def sureness(probabilities: FloatArray, ax: Axes | None = None) -> Axes:
    """Draw how sure predictions of classes are, where the truth is not known."""
    axes = new_axes(ax, (5.0, 3.6))
    largest = probabilities.max(axis=1)
    edges = np.linspace(1.0 / probabilities.shape[1], 1.0, 31).tolist()
    axes.hist(largest, bins=edges, color=COLOURS[0])
    axes.set_xlabel("probability of the predicted class")
    axes.set_ylabel("rows")
    count_in_whole_numbers(axes.yaxis)
    thin(axes)
    return axes


def ordered(predicted: FloatArray, deviation: FloatArray | None, ax: Axes | None = None) -> Axes:
    """Draw predicted numbers in ascending order, with two deviations either way where known."""
    axes = new_axes(ax, (5.0, 3.6))
    order = np.argsort(predicted, kind="stable")
    place = np.arange(1, len(order) + 1)
    if deviation is not None:
        low, high = predicted - 2 * deviation, predicted + 2 * deviation
        axes.fill_between(place, low[order], high[order], color=COLOURS[5], alpha=0.4, lw=0)
    axes.plot(place, predicted[order], ".-", color=COLOURS[0], ms=3, lw=0.8)
    axes.set_xlabel("rows, in the order of their predictions")
    count_in_whole_numbers(axes.xaxis)
    axes.set_ylabel("predicted")
    thin(axes)
    return axes


def _some(count: int) -> NDArray[np.int64]:
    """Return the places of all points, or of as many as a picture can bear."""
    if count <= _MOST_POINTS:
        return np.arange(count)
    return np.sort(np.random.default_rng(0).choice(count, _MOST_POINTS, replace=False))
