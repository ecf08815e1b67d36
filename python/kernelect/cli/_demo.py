"""The demonstration behind ``kernelect demo``: an election on data that scikit-learn ships."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ..results import _text as text_table
from ..results.serialization import to_dict

if TYPE_CHECKING:
    from ..kernels import Kernel
    from ..results import ScoreTable

_CRITERIA = ("sm", "kta", "ckta")

_REPORT = """\
Breast-cancer data that scikit-learn ships: {rows} rows, {columns} columns, 2 classes.
{train} rows (standardised) elect the kernel; {test} rows are held out to judge it.

{count} Gaussian kernels exp(-|x-x'|^2 / (2 tau)) are scored straight from their matrices, no
machine is trained: sm is the spectral measure, kta the kernel-target alignment, ckta the same on
centred kernels; * marks what each elects. The last column is the judge, which no criterion saw:
the held-out accuracy of an SVC with that kernel.

{table}

The wrong width gives {worst}, the best {best}. Three ways to choose it:

{comparison}

{verdict}
The election was {faster:.0f} times as fast as the grid search; gamma="scale" never looks at y.

In scikit-learn: {usage}
Your own data:   kernelect select FILE --standardize
"""


def demo(n_threads: int | None = None) -> tuple[str, dict[str, Any]]:
    """Elect a kernel for the breast-cancer data and hold it against what people do today.

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
    from .. import evaluate

    data = _split_data()
    started = time.perf_counter()
    table = evaluate(data.train, data.y_train, criteria=_CRITERIA, n_threads=n_threads)
    seconds = time.perf_counter() - started
    machines = [_machine(kernel).fit(data.train, data.y_train) for kernel in table.kernels]
    accuracies = [float(machine.score(data.test, data.y_test)) for machine in machines]
    elected = table.best("sm")
    ways = [
        _Way(
            f"kernelect: sm elects {elected.kernel!r}",
            float(machines[elected.index].gamma),
            accuracies[elected.index],
            seconds,
        ),
        _by_default(data),
        _by_grid_search(data, [machine.gamma for machine in machines]),
    ]
    facts = {
        "kernel": repr(elected.kernel),
        "ways": [asdict(way) for way in ways],
        "accuracies": accuracies,
        "result": to_dict(table),
    }
    return _report(data, table, accuracies, ways), facts


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


def _split_data() -> _Data:
    from sklearn.datasets import load_breast_cancer
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler

    X, y = load_breast_cancer(return_X_y=True)
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


def _report(data: _Data, table: ScoreTable, accuracies: list[float], ways: list[_Way]) -> str:
    elected, search = ways[0], ways[-1]
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
        columns=data.train.shape[1],
        train=len(data.y_train),
        test=len(data.y_test),
        count=len(table.kernels),
        table=text_table.scores(table, extra={"SVC accuracy": map(_percent, accuracies)}),
        worst=_percent(min(accuracies)),
        best=_percent(max(accuracies)),
        comparison=text_table.aligned([["", "gamma", "accuracy", "time"], *rows]),
        verdict=_verdict([way.accuracy for way in ways], len(data.y_test)),
        faster=search.seconds / elected.seconds,
        usage=text_table.usage(table.best("sm").kernel, table.task),
    ).rstrip()


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _verdict(accuracies: list[float], rows: int) -> str:
    apart = round((max(accuracies) - min(accuracies)) * rows)
    if apart == 0:
        return f"All three get the same number of the {rows} held-out rows right."
    return f"Best and worst of the three are {apart} of the {rows} held-out rows apart."
