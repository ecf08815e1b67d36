"""The command ``kernelect fit FILE``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse

from ..results import _text as text_table
from ..results.serialization import to_dict
from ..storage._files import save_archive
from ._file_options import FILE_OPTIONS
from ._output import draw, facts, headline, write, write_page
from ._time_limit import TimeLimit

if TYPE_CHECKING:
    from argparse import Namespace

    from ..io import Dataset


def run(options: Namespace, warned: list[str]) -> None:
    """Fit a model to the file, and save it with how the file was read."""
    from ..io import learn
    from ..lssvm._elections.ways import ELECTING

    for option in ("plot", "report"):
        if getattr(options, option) is not None and options.kernel not in ELECTING:
            raise ValueError(
                f"--{option} shows an election, and --kernel {options.kernel} holds none; leave "
                "one of the two out"
            )
    limit = TimeLimit(options.time_limit)
    asked = {name: getattr(options, name) for name in FILE_OPTIONS}
    with limit.reading():
        data, recipe = learn(options.file, **asked)
    started = time.perf_counter()
    model, learner = _new_model(options, data, limit)
    prefix = "" if model is learner else f"{model.steps[-1][0]}__"
    model.fit(data.X, data.y, **{f"{prefix}groups": data.groups})
    seconds = time.perf_counter() - started
    if options.save is not None:
        save_archive(options.save, {"model": model, "recipe": recipe})
    task = learner._target.task
    (score, how), base = _held_out(learner, data), _baseline(data.y, task)
    name = "accuracy" if task == "classification" else "R2"
    beside = "the largest class alone" if task == "classification" else "the mean alone"
    several = isinstance(learner.kernel_, list)  # a committee
    members = learner.kernel_ if several else [learner.kernel_]
    lams = ", ".join(text_table.number(lam) for lam in np.ravel(learner.lam_))
    told = getattr(learner, "report_", None)
    why = "" if told is None else f"why:      {told.reason}\n"
    report = f"""\
{headline(options, data, task)}
fitted:   {", ".join(map(str, members))} with lam = {lams} in {text_table.duration(seconds)}
{why}held out: {name} {text_table.number(score)} of {how} ({beside}: \
{text_table.number(base)})
{_whereabouts(options.save)}"""
    chosen = getattr(learner, "selection_", None)
    if chosen is not None:  # where rows do not differ there is none to draw
        rows = data.X if model is learner else model[:-1].transform(data.X)
        draw(options, chosen, data._replace(X=rows))
        if options.report is not None:
            write_page(options, data._replace(X=rows), learner, warned)
    result = {
        "seconds": seconds,
        "saved": options.save,
        "kernel": [to_dict(kernel) for kernel in members] if several else to_dict(members[0]),
        "lam": np.asarray(learner.lam_).tolist(),
        "held_out_score": score,
        "baseline": base,
        "result": None if chosen is None else to_dict(chosen),
        "why": None if told is None else told.reason,
        "warnings": warned,
    }
    write(options, report, {"command": "fit", **facts(options, data, task), **result})


def _whereabouts(saved: str | None) -> str:
    if saved is None:
        return "saved:    nothing; --save MODEL keeps the model for 'kernelect predict'"
    kilobytes = max(Path(saved).stat().st_size // 1024, 1)
    return f"saved:    {saved} ({kilobytes} kB)\nnext:     kernelect predict {saved} FILE"


def _new_model(options: Namespace, data: Dataset, limit: TimeLimit) -> tuple[Any, Any]:
    """Return what is to be fitted, and the learner in it."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from .. import LSSVMClassifier, LSSVMRegressor
    from .._data.target import check_target

    task = check_target(data.y, options.task, data.X.shape[0]).task
    kind = LSSVMClassifier if task == "classification" else LSSVMRegressor
    learner = kind(
        options.kernel,
        lam=options.lam,
        lam_convention=options.lam_convention,
        bias=options.bias,
        solver="exact" if options.landmarks is None else "auto",
        landmarks="auto" if options.landmarks is None else options.landmarks,
        folds=options.folds,
        n_threads=options.threads,
        time_limit=limit.left(),
    )
    if not options.standardize:
        return learner, learner
    scaler = StandardScaler(with_mean=not scipy.sparse.issparse(data.X))
    return make_pipeline(scaler, learner), learner


def _held_out(learner: Any, data: Dataset) -> tuple[float, str]:
    """Return how good predictions of unseen rows are, and which rows these were."""
    given = learner.folds is not None or data.groups is not None
    folds = "rows held out in folds" if data.groups is None else "groups held out together"
    chosen = getattr(learner, "selection_", None)
    if given and isinstance(learner.kernel_, list):  # a committee was weighed by these folds
        return learner.loo_score_, folds
    if chosen is not None and chosen.by_folds:
        return chosen.held_out_score, folds
    one_by_one = "rows left out one by one"
    return learner.loo_score_, f"{one_by_one}, whatever the folds" if given else one_by_one


def _baseline(y: Any, task: str) -> float:
    """Score of what looks at no row: the largest class, or the mean, whose R^2 is 0."""
    if task == "regression":
        return 0.0
    return float(np.unique(y, return_counts=True)[1].max() / len(y))
