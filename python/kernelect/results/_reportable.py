"""How elections, and learners that hold them, are reported."""

from __future__ import annotations

import os
from typing import Any, cast


class Reportable:
    """A result on which a report can be written."""

    def report(
        self,
        path: str | os.PathLike[str],
        *,
        X: Any = None,
        y: Any = None,
        title: str | None = None,
    ) -> None:
        """Write a report as one self-contained HTML page, for screen and paper.

        It states the decision in one sentence, with how good and how sure it is; then warnings with
        their remedies, the candidates with rivals and baseline, and the code that reproduces the
        model. Given the data, it also shows where the labels lie in the spectrum, and predictions
        of held-out rows (confusion and calibration, or residuals). A fitted learner's report shows
        which models it compared, and the members of a committee. Needs matplotlib.

        Parameters
        ----------
        path : str or path
            The file to write.
        X, y : array-like, optional
            The data of the election. Where the winner was given as a matrix, X is that matrix.
        title : str, optional
            Heading of the page.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import kernelect as ke
        >>> from sklearn.datasets import load_iris
        >>> X, y = load_iris(return_X_y=True)
        >>> path = pathlib.Path(tempfile.mkdtemp(), "report.html")
        >>> ke.select(X, y).report(path, X=X, y=y, title="Iris")
        >>> "was elected among 31 candidates" in path.read_text(encoding="utf-8")
        True
        """
        from .._pages import write_report

        write_report(cast("Any", self), path, X=X, y=y, title=title)
