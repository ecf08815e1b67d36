"""The elected kernel: what `select` gives back."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from ..kernels import Kernel
from ._choice import Choice
from ._figures import Figures
from ._former import formerly_decisive
from ._landmark_map import LandmarkMap
from ._plottable import Plottable
from ._refinement import Refinement
from ._report import plain_number
from ._reportable import Reportable
from ._ridge_model import RidgeModel
from ._score_table import ScoreTable
from ._text import held_out_text


@dataclass(frozen=True, repr=False, eq=False)
class Selection(Figures, Plottable, Reportable):
    """The elected kernel.

    Attributes
    ----------
    kernel : Kernel
        The winner.
    score : float
        Its value under the criterion; for "auto" its leave-one-out loss.
    index : int
        Its place among the candidates.
    criterion : str
        Key of the criterion that was asked for, or "auto".
    table : ScoreTable
        All candidates.
    lam : float or None
        The lambda it goes with, where several were tried.
    verified : list of int or None
        For "auto": the candidates whose leave-one-out loss was computed.
    lead : float or None
        How much better than the runner-up the winner is, as a share of the winner's loss; None
        where there is no runner-up or the criterion is not a loss.
    partial : bool
        Whether ``time_limit`` ended the election early: the best decision so far.
    decisive : str
        Key of the column that decided; for "auto" that of leave-one-out.
    by_folds : bool
        Whether the criterion that decided holds out folds of rows.
    model : RidgeModel or None
        The model that was judged, where the criterion fits one: `params_for` hands it over.
    refinement : Refinement or None
        What `refine` did and why; the candidates are then the kernels on its way.
    baseline : float or None
        What the criterion gives the prediction that looks at no row, the mean or the larger class;
        None where the criterion does not hold rows out.
    gain : float or None
        By how much the score is better than that, in its unit.
    evidence : float or None
        By how many standard errors the winner's held-out squared loss is below that of the mean;
        below 1.645 `select` warns that there is no evidence. With a score in place of a loss, that
        of the correlation of held-out outputs and target, which must reach 3.
    held_out_score : float or None
        What people know: accuracy of the held-out predictions of classes, R^2 of those of numbers.
    landmarks : int or None
        How many landmarks the model that was judged has; None where it is that of whole matrices.
    rank_error : float or None
        What those landmarks do not see of the winner, tr(K - K~) / tr(HKH).
    m_sensitivity : float or None
        By what share half of the landmarks predict held-out rows worse, in the squared loss: below
        0.02 the model is as good as that of the whole matrix, above `select` warns.
    """

    kernel: Kernel
    score: float
    index: int
    criterion: str
    table: ScoreTable
    lam: float | None = None
    verified: list[int] | None = None
    lead: float | None = None
    partial: bool = False
    decisive: str = field(kw_only=True)
    model: RidgeModel | None = field(default=None, kw_only=True)
    refinement: Refinement | None = field(default=None, kw_only=True)

    @classmethod
    def by(cls, table: ScoreTable, decisive: str, criterion: str | None = None) -> Selection:
        """Elect the best candidate of a table by one of its criteria.

        Parameters
        ----------
        table : ScoreTable
            All candidates.
        decisive : str
            Key of the criterion that decides.
        criterion : str, optional
            What the election is called, where that is not the deciding criterion.

        Returns
        -------
        Selection
            The winner.
        """
        best = table.best(decisive)
        named = decisive if criterion is None else criterion
        return cls(best.kernel, best.score, best.index, named, table, best.lam, decisive=decisive)

    def moved_to(self, other: Choice) -> Selection:
        """Elect another candidate of the same table instead.

        Parameters
        ----------
        other : Choice
            The candidate.

        Returns
        -------
        Selection
            Without a lead, and without the model of the former one.
        """
        return replace(
            self,
            kernel=other.kernel,
            score=other.score,
            index=other.index,
            lam=other.lam,
            lead=None,
            model=None,
        )

    def params_for(self, estimator: object) -> dict[str, Any]:
        """Parameters that make a scikit-learn estimator use the winner as it was judged.

        Parameters
        ----------
        estimator : object
            An estimator (or its class) with a ``kernel`` or ``affinity`` parameter.

        Returns
        -------
        dict
            Those of ``kernel.params_for``, and with a criterion that fits a model its
            regularisation in the estimator's own terms (`results.RidgeModel.params_for`): ``C``,
            ``alpha`` or ``lam``.

        Examples
        --------
        >>> import kernelect as ke
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.svm import SVC
        >>> X, y = load_iris(return_X_y=True)
        >>> ke.select(X, y, criterion="loo", lam=0.125).params_for(SVC)
        {'kernel': 'rbf', 'gamma': 0.5, 'C': 16.0}
        """
        if self.model is None:
            return self.kernel.params_for(estimator)
        return self.model.params_for(estimator, self.kernel)

    def feature_map(self, landmarks: int | None = None) -> LandmarkMap:
        """Make a transformer to features whose inner products are the winner.

        Parameters
        ----------
        landmarks : int, optional
            How many landmarks, where that is not the number of those of the model that was judged.

        Returns
        -------
        results.LandmarkMap
            Not yet fitted. Its fit chooses landmarks among the rows that it is given, in the way
            that predicted better in the election: by pivoting, or at random. On the rows of an
            election with ``random_state=0``, it chooses the same landmarks again.
        """
        count = self.landmarks if landmarks is None else landmarks
        if count is None:
            raise ValueError(
                "the model that was judged has no landmarks to make features of; say how many, "
                "feature_map(landmarks=500)"
            )
        pivoted = self._figure("pivoted") != 0.0  # as they always are where nobody says
        return LandmarkMap(self.kernel, landmarks=count, pivoted=pivoted)

    def __eq__(self, other: object) -> bool:
        """Whether winner, table and all that is said of them are the same; NaN is like NaN."""
        if not isinstance(other, Selection):
            return NotImplemented
        pairs = [(getattr(self, f.name), getattr(other, f.name)) for f in fields(self)]
        return all(one == two or (one != one and two != two) for one, two in pairs)  # noqa: PLR0124

    def __hash__(self) -> int:
        return hash((self.table, self.index, self.criterion))

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the state of a pickle; up to version 0.1.0 nobody wrote down what decided."""
        if "decisive" not in state:
            state = {
                **state,
                "decisive": formerly_decisive(state["criterion"], state["table"].columns),
            }
        self.__dict__.update(state)

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain data, ready for JSON.

        Returns
        -------
        dict
            ``kernel``, ``score``, ``index``, ``criterion``, ``decisive``, ``lam``, ``verified``,
            ``lead``, ``partial``, ``model``, ``baseline``, ``gain``, ``evidence``,
            ``held_out_score``, ``landmarks``, ``rank_error``, ``m_sensitivity``, ``refinement`` and
            the ``table``.
        """
        return {
            "kernel": repr(self.kernel),
            "score": plain_number(self.score),
            "index": self.index,
            "criterion": self.criterion,
            "decisive": self.decisive,
            "lam": self.lam,
            "verified": self.verified,
            "lead": self.lead,
            "partial": self.partial,
            "model": None if self.model is None else asdict(self.model),
            "refinement": None if self.refinement is None else self.refinement.to_dict(),
            **{
                name: None if value is None else plain_number(value)
                for name, value in (
                    ("baseline", self.baseline),
                    ("gain", self.gain),
                    ("evidence", self.evidence),
                    ("held_out_score", self.held_out_score),
                    ("rank_error", self.rank_error),
                    ("m_sensitivity", self.m_sensitivity),
                )
            },
            "landmarks": self.landmarks,
            "table": self.table.to_dict(),
        }

    def __repr__(self) -> str:
        count = len(self.table.kernels)
        label = self.table.columns[self.decisive].label
        by = label if self.criterion == self.decisive else f"{self.criterion}, {label}"
        text = f"{self.kernel} elected by {by} = {self.score:.6g}"
        if self.lam is not None:
            text += f" at lam = {self.lam:.4g}"
        if known := held_out_text(self):
            text += f", {known}"
        text += f" (candidate {self.index + 1} of {count}, {self.table.task}"
        if self.verified is not None:
            text += f", {len(self.verified)} verified"
            if self.lead is not None:
                text += f", {self.lead:.1%} ahead"
        if self.landmarks is not None:
            text += f", {self.landmarks} landmarks"
        if self.refinement is not None:
            text += ", refined" if self.refinement.adopted else ", not refined"
        if self.partial:
            text += ", partial: the time limit was reached"
        return text + ")"

    def _repr_html_(self) -> str:
        from ._html import selection_html

        return selection_html(self)
