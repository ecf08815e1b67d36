"""How elections are reported."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from ._selection import Selection


class Reportable:
    """A result on which a page can be written."""

    def report(
        self,
        path: str | os.PathLike[str],
        *,
        X: Any = None,
        y: Any = None,
        title: str | None = None,
    ) -> None:
        """Write a page to look at: one HTML file that needs no network, for screen and paper.

        The decision in a sentence with how good and how sure it is, warnings with their remedies,
        the candidates with rivals and baseline, the code that gives the model again; with the data
        also where the labels lie in the spectrum, and predictions of rows held out (confusion and
        calibration, or residuals). Needs matplotlib.

        Parameters
        ----------
        path : str or path
            Where to.
        X, y : array-like, optional
            The data that were elected on; X the winner's matrix, where that was given as one.
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

        write_report(cast("Selection", self), path, X=X, y=y, title=title)
