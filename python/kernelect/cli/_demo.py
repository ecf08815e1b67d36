"""The demonstration behind ``kernelect demo``: an election on data that scikit-learn ships."""

from __future__ import annotations

import time
from typing import Any

from ..results import _text as text_table

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
The election was {faster:.0f} times as fast as the grid search; gamma="scale" never looks at the labels.

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
    from sklearn.datasets import load_breast_cancer
    from sklearn.model_selection import GridSearchCV, train_test_split
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    from .. import evaluate

    X, y = load_breast_cancer(return_X_y=True)
    train, test, y_train, y_test = train_test_split(X, y, test_size=0.3, stratify=y, random_state=0)
    scaler = StandardScaler().fit(train)
    train, test = scaler.transform(train), scaler.transform(test)

    started = time.perf_counter()
    table = evaluate(train, y_train, criteria=_CRITERIA, n_threads=n_threads)
    election_seconds = time.perf_counter() - started

    machines = [SVC(**kernel.params_for(SVC())).fit(train, y_train) for kernel in table.kernels]
    accuracies = [float(machine.score(test, y_test)) for machine in machines]
    scale = SVC(gamma="scale").fit(train, y_train)

    started = time.perf_counter()
    search = GridSearchCV(SVC(), {"gamma": [machine.gamma for machine in machines]}, cv=5)
    search.fit(train, y_train)
    search_seconds = time.perf_counter() - started

    best = table.best("sm")
    ways: list[dict[str, Any]] = [
        {
            "way": f"kernelect: sm elects {best.kernel!r}",
            "gamma": float(machines[best.index].gamma),
            "accuracy": accuracies[best.index],
            "seconds": election_seconds,
        },
        {
            "way": 'scikit-learn\'s default, gamma="scale"',
            "gamma": 1.0 / (train.shape[1] * float(train.var())),
            "accuracy": float(scale.score(test, y_test)),
            "seconds": 0.0,
        },
        {
            "way": f"5-fold grid search, {5 * len(machines)} SVCs trained",
            "gamma": float(search.best_params_["gamma"]),
            "accuracy": float(search.score(test, y_test)),
            "seconds": search_seconds,
        },
    ]
    report = _REPORT.format(
        rows=len(y),
        columns=X.shape[1],
        train=len(y_train),
        test=len(y_test),
        count=len(table.kernels),
        table=text_table.scores(table, extra={"SVC accuracy": map(_percent, accuracies)}),
        worst=_percent(min(accuracies)),
        best=_percent(max(accuracies)),
        comparison=text_table.aligned(
            [["", "gamma", "accuracy", "time"]]
            + [
                [
                    way["way"],
                    f"{way['gamma']:.4g}",
                    _percent(way["accuracy"]),
                    text_table.duration(way["seconds"]) if way["seconds"] else "none",
                ]
                for way in ways
            ]
        ),
        verdict=_verdict([way["accuracy"] for way in ways], len(y_test)),
        faster=search_seconds / election_seconds,
        usage=text_table.usage(best.kernel, table.task),
    )
    facts = {
        "kernel": repr(best.kernel),
        "ways": ways,
        "accuracies": accuracies,
        "result": table.to_dict(),
    }
    return report.rstrip(), facts


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _verdict(accuracies: list[float], rows: int) -> str:
    apart = round((max(accuracies) - min(accuracies)) * rows)
    if apart == 0:
        return f"All three get the same number of the {rows} held-out rows right."
    return f"Best and worst of the three are {apart} of the {rows} held-out rows apart."
