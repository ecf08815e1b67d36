"""The demonstration behind ``kernelect demo``: an election on data whose width matters."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..results import ScoreTable, Selection
from ..results import _text as text_table
from ..results.serialization import to_dict

if TYPE_CHECKING:
    from ..kernels import Kernel

# What the story shows of an election: the two ends of the bracket, and what decides.
_SHOWN = ("kta", "sm(r=1)", "loo")

# Points of test error lost against the best of 31 Gaussians in hindsight, on 33 two-class sets:
# mean and worst set, from docs/papers/regret-binary.csv, to which a test holds them.
REGRET = {
    "the default election of kernelect": ("auto", 0.92, 4.6),
    "exact leave-one-out on the whole grid": ("LOO", 0.89, 4.0),
    'gamma="scale", no search': ("scale", 1.59, 11.4),
    "median distance, no search": ("median", 2.41, 21.5),
    "kernel-target alignment alone": ("KTA", 2.78, 19.2),
}

_REPORT = """\
A checkerboard of 4 x 4 fields, {rows} random points, 5% of the labels wrong: data made here, on
which the width of the kernel matters. {train} rows (standardised) elect it; {test} judge it.

{count} Gaussian kernels exp(-|x-x'|^2 / (2 tau)) are scored straight from their matrices, no
machine is trained: kta leans to narrow kernels, sm(r=1) to wide ones, and exact leave-one-out (loo)
decides between their winners (*). The last column is the judge, which no criterion saw: the
held-out accuracy of an SVC with that kernel.

{table}

The wrong width gives {worst}, the best {best}. Three ways to choose it:

{comparison}

{verdict}
The election was {faster:.0f} times as fast as the grid search; gamma="scale" never looks at y.

Not all data are like that: on the breast-cancer data that scikit-learn ships, the election gets
{easy_elected} and gamma="scale" {easy_scale}. On 33 two-class sets, points of accuracy lost
against the best of the {count} widths in hindsight (docs/papers/regret.md):

{regret}

What to do next:

  this kernel in scikit-learn  {usage}
  a kernel for your data       kernelect select FILE --standardize
  the same as a page to read   kernelect select FILE --standardize --report report.html
  predictions of new rows      kernelect fit FILE --standardize --save model.npz
                               kernelect predict model.npz NEW_FILE
  in Python                    kernelect.KernelSelector(SVC(), C="auto").fit(X, y)
  all commands, by example     kernelect --help
"""


def demo(n_threads: int | None = None) -> tuple[str, dict[str, Any]]:
    """Elect a kernel for a checkerboard and hold it against what people do today.

    Parameters
    ----------
    n_threads : int, optional
        For the election; the support vector machines run on one thread.

    Returns
    -------
    report : str
        The story as text.
    facts : dict
        The same figures, ready for JSON.
    """
    from .. import select

    data = _split(*checkerboard())
    started = time.perf_counter()
    chosen = select(data.train, data.y_train, n_threads=n_threads)
    seconds = time.perf_counter() - started
    table = chosen.table
    machines = [_machine(kernel).fit(data.train, data.y_train) for kernel in table.kernels]
    accuracies = [float(machine.score(data.test, data.y_test)) for machine in machines]
    ways = [
        _Way(
            f"kernelect elects {chosen.kernel}",
            float(machines[chosen.index].gamma),
            accuracies[chosen.index],
            seconds,
        ),
        _by_default(data),
        _by_grid_search(data, [machine.gamma for machine in machines]),
    ]
    easy = _easy(n_threads)
    facts = {
        "kernel": repr(chosen.kernel),
        "ways": [asdict(way) for way in ways],
        "accuracies": accuracies,
        "breast_cancer": easy,
        "result": to_dict(chosen),
    }
    return _report(data, chosen, accuracies, ways, easy), facts


def checkerboard(rows: int = 800, fields: int = 4, wrong: float = 0.05) -> tuple[Any, Any]:
    """Make points on a checkerboard, labelled by the colour of their field, some of them wrongly.

    Parameters
    ----------
    rows : int, default=800
        How many points.
    fields : int, default=4
        Fields on each side.
    wrong : float, default=0.05
        Share of the labels that is turned.

    Returns
    -------
    X : ndarray of shape (rows, 2)
        The points.
    y : ndarray of shape (rows,)
        0 or 1.
    """
    random = np.random.default_rng(0)
    X = random.uniform(0, fields, (rows, 2))
    turned = random.uniform(size=rows) < wrong
    return X, (np.floor(X).sum(axis=1).astype(int) % 2) ^ turned


def _easy(n_threads: int | None) -> dict[str, float]:
    """Held-out accuracies on data where nearly every width will do."""
    from sklearn.datasets import load_breast_cancer

    from .. import select

    data = _split(*load_breast_cancer(return_X_y=True))
    machine = _machine(select(data.train, data.y_train, n_threads=n_threads).kernel)
    machine.fit(data.train, data.y_train)
    elected = float(machine.score(data.test, data.y_test))
    return {"elected": elected, "scale": _by_default(data).accuracy}


@dataclass(frozen=True)
class _Data:
    """Rows that elect and rows that judge."""

    train: Any
    test: Any
    y_train: Any
    y_test: Any


@dataclass(frozen=True)
class _Way:
    """A way to choose the width, and how it did."""

    way: str
    gamma: float
    accuracy: float
    seconds: float


def _split(X: Any, y: Any) -> _Data:
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler

    train, test, y_train, y_test = train_test_split(X, y, test_size=0.3, stratify=y, random_state=0)
    scaler = StandardScaler().fit(train)
    return _Data(scaler.transform(train), scaler.transform(test), y_train, y_test)


def _machine(kernel: Kernel) -> Any:
    from sklearn.svm import SVC

    return SVC(**kernel.params_for(SVC()))


def _by_default(data: _Data) -> _Way:
    from sklearn.svm import SVC

    machine = SVC(gamma="scale").fit(data.train, data.y_train)
    return _Way(
        'scikit-learn\'s default, gamma="scale"',
        1.0 / (data.train.shape[1] * float(data.train.var())),
        float(machine.score(data.test, data.y_test)),
        0.0,
    )


def _by_grid_search(data: _Data, gammas: list[float]) -> _Way:
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import SVC

    started = time.perf_counter()
    search = GridSearchCV(SVC(), {"gamma": gammas}, cv=5).fit(data.train, data.y_train)
    seconds = time.perf_counter() - started
    return _Way(
        f"5-fold grid search, {5 * len(gammas)} SVCs trained",
        float(search.best_params_["gamma"]),
        float(search.score(data.test, data.y_test)),
        seconds,
    )


def _report(
    data: _Data,
    chosen: Selection,
    accuracies: list[float],
    ways: list[_Way],
    easy: dict[str, float],
) -> str:
    elected, search = ways[0], ways[-1]
    columns = [chosen.table.columns[key] for key in _SHOWN]
    table = ScoreTable.of(chosen.table.kernels, columns, chosen.table.task)
    lost = [[way, f"{mean:.2f}", f"{worst:.1f}"] for way, (_, mean, worst) in REGRET.items()]
    rows = [
        [
            way.way,
            f"{way.gamma:.4g}",
            _percent(way.accuracy),
            text_table.duration(way.seconds) if way.seconds else "none",
        ]
        for way in ways
    ]
    return _REPORT.format(
        rows=len(data.y_train) + len(data.y_test),
        train=len(data.y_train),
        test=len(data.y_test),
        count=len(table.kernels),
        table=text_table.scores(table, extra={"SVC accuracy": map(_percent, accuracies)}),
        worst=_percent(min(accuracies)),
        best=_percent(max(accuracies)),
        comparison=text_table.in_columns([["", "gamma", "accuracy", "time"], *rows]),
        verdict=_verdict([way.accuracy for way in ways], len(data.y_test)),
        faster=search.seconds / elected.seconds,
        easy_elected=_percent(easy["elected"]),
        easy_scale=_percent(easy["scale"]),
        regret=text_table.in_columns([["", "mean", "worst set"], *lost]),
        usage=text_table.usage(chosen.kernel, table.task),
    ).rstrip()


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _verdict(accuracies: list[float], rows: int) -> str:
    apart = round((max(accuracies) - min(accuracies)) * rows)
    if apart == 0:
        return f"All three get the same number of the {rows} held-out rows right."
    return f"Best and worst of the three are {apart} of the {rows} held-out rows apart."
