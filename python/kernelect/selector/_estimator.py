"""KernelSelector: a meta-estimator that elects the kernel of a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, ClassVar

from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import check_array
from sklearn.utils.multiclass import check_classification_targets

from .._data.objects import Objects
from .._data.rows import column_names
from .._support.callbacks import CallbackSupportMixin, reported, with_callbacks
from .._support.deadline import Deadline
from .._support.progress import Tick
from ._cv_results import cv_results
from ._delegation import Delegation
from ._election import (
    for_lambda,
    hold_election,
    model_of,
    options_of,
    refined,
    refuse_too_many_rows,
    weights_of,
)
from ._fold_rows import Rows
from ._hand_over import hand_over, warn_replaced
from ._inner_estimator import InnerEstimator
from ._matrix_candidates import matrices_of
from ._part import asked
from ._rows import HandedRows


class KernelSelector(
    InnerEstimator,
    Delegation,
    HandedRows,
    CallbackSupportMixin,  # type: ignore[misc]
    MetaEstimatorMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    r"""Elect a kernel, put it into an estimator, and fit that.

    Works with everything in scikit-learn that has a kernel: ``SVC``, ``SVR``, ``NuSVC``,
    ``OneClassSVM``, ``KernelRidge``, ``KernelPCA``, ``SpectralClustering``, Gaussian processes, and
    this library's learners. The winner goes in as scikit-learn's own kernel if it has the same one
    (a Gaussian as ``kernel="rbf", gamma=...``), otherwise as a callable or as matrices.

    Parameters
    ----------
    estimator : estimator, optional
        What to fit; by default `LSSVMClassifier` or `LSSVMRegressor`, depending on y.
    kernels : optional
        Candidates as for `select`; None for the 31 Gaussians tau = 2^-15 .. 2^15. With
        ``"precomputed"``, X is a list or stack of kernel matrices: of shape (n, n) in `fit`, in the
        other methods (m, n), between new and training rows, or the elected one alone; a
        `KernelStackView` of them goes through scikit-learn's cross-validation. Matrices given here
        are fitted by ``fit(None, y)``.
    criterion : str or Criterion, default="auto"
        What elects. ``"auto"``: cheap criteria screen, exact leave-one-out decides, or with
        `folds` or groups exact cross-validation.
    refine : bool, default=False
        Refine the winner (`kernelect.refine`): a width for every column if that is worth it. An
        estimator with its own Gaussian gets rows with scaled columns, and uses that kernel.
    refit : bool, default=True
        Fit the estimator with the winner; otherwise only elect.
    regularization, C : None or "auto", default=None
        ``"auto"``, by either name, also sets the estimator's regularisation. It comes from the
        lambda with the least leave-one-out loss of the elected kernel, in the unit of y
        (`results.RidgeModel.params_for`): ``alpha`` of kernel ridge regression, signal, noise and
        constant of a Gaussian process, ``lam`` of the learners of this library, ``C`` = 2/lambda
        of a support vector classifier, and ``C``, ``epsilon`` and ``tol`` of a regressor. With the
        default criterion and up to 10,000 rows, the election sees `election_rows_` of them. Folds
        of the support vector machine then choose that C, a quarter of it or four times it, and,
        except in regression with up to 1,000 rows, other Gaussians of an ordered grid
        (`fold_results_`). Predictions follow the unit of y, and shifts of y where there is a bias;
        kernel ridge regression has none, so bring y to mean 0 for it.
    lam : float, list of float or "auto", optional
        Regularisation of the criteria that fit a model. By default ``"auto"`` where it is wanted
        (``regularization="auto"``, or no estimator given), else 1.0.
    lam_convention, folds, scoring, rule, random_state, landmarks
        As for `select`.
    bias : bool, optional
        As for `select`; by default with a bias, except for `KernelRidge`, which has none.
    task : {"auto", "classification", "regression"}, default="auto"
        What y is, if the estimator does not say.
    n_jobs, n_threads : int, optional
        Threads of the election; 1 by default, -1 for all.
    progress : bool, default=False
        Show a progress line.
    time_limit : float, optional
        Seconds for the choice of kernel and regularisation, after which the best decision so far is
        taken: by the cheap criteria alone where there is nothing else, and without a regularisation
        where none was found. The fit of the estimator itself comes after that.

    Attributes
    ----------
    best_kernel_ : Kernel
        The winner; a neighbour of the election's (`result_`) where folds judged both.
    best_params_ : dict
        What was set on the estimator.
    best_estimator_ : estimator
        The fitted estimator, with ``refit=True``.
    best_score_ : float
        The winner's value under the criterion (`result_` has its direction).
    best_index_ : int
        Its place among the candidates.
    cv_results_ : dict of ndarray
        ``kernel``, per criterion ``score_...`` and ``rank_...``, and as in `GridSearchCV`
        ``mean_test_score`` (larger is better) and ``rank_test_score``; goes into a data frame.
    result_ : Selection
        The whole election.
    election_rows_ : int
        How many it looked at: with ``C="auto"`` 500 or a fifth, of numbers 1,000 or a half.
    fold_results_ : dict or None
        The pairs of C and gamma that folds of the machine judged: ``C``, ``gamma`` (if it was
        judged too), ``split_test_score`` (pairs x folds: R^2, or minus the mean squared hinge
        loss), ``mean_test_score``, ``best_index``, and ``standard_errors``: by how many a pair is
        better than the first, the election's; in regression with few rows that stays unless another
        is better by 1.645. There are three folds, of classifiers as many as hold out 300 rows. From
        501 rows on only the next kernels of several classes are judged, from 1,001 on more distant
        ones too (in regression by one fold: narrower ones, then larger C), while the loss falls.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Names of the features, where all are strings.

    Notes
    -----
    Every criterion that can elect looks at y, also when the estimator itself does not, such as
    `KernelPCA`; diagnostics (``stability``) rank nothing, so they cannot elect.
    With scikit-learn 1.9 or later, ``set_callbacks(ProgressBar())`` shows the election's progress.
    ``sample_weight`` and other metadata go to the estimator's ``fit`` (with metadata routing, as
    requested there). It and the estimator's ``class_weight`` also weigh rows in the election; a
    warning says so where the criterion cannot. ``groups`` go to the election, with metadata routing
    unless ``set_fit_request(groups=False)`` says otherwise. Constants and noise around the kernel
    of a Gaussian process stay as given (free ones as they come, or none, begin in the unit of y);
    with ``C="auto"``, or without a kernel and noise, the election sets them.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), ke.KernelSelector(SVC(C=10))).fit(X, y)
    >>> model[-1].best_params_
    {'kernel': 'rbf', 'gamma': 0.5}
    >>> model.score(X, y) > 0.95
    True

    The regularisation as well:

    >>> ke.KernelSelector(SVC(), C="auto").fit(X, y).best_params_["C"] > 1
    True
    """

    # Where metadata are routed, groups are taken without being asked for, as splitters do.
    __metadata_request__fit: ClassVar[dict[str, bool]] = {"groups": True}

    def __init__(
        self,
        estimator: Any = None,
        kernels: Any = None,
        criterion: Any = "auto",
        *,
        refine: bool = False,
        refit: bool = True,
        C: str | None = None,
        regularization: str | None = None,
        lam: Any = None,
        lam_convention: str = "sum",
        bias: bool | None = None,
        folds: Any = None,
        scoring: str | None = None,
        rule: str = "best",
        random_state: Any = 0,
        landmarks: Any = "auto",
        task: str = "auto",
        n_jobs: int | None = None,
        n_threads: int | None = None,
        progress: bool = False,
        time_limit: float | None = None,
    ) -> None:
        self.estimator = estimator
        self.kernels = kernels
        self.criterion = criterion
        self.refine = refine
        self.refit = refit
        self.C = C
        self.regularization = regularization
        self.lam = lam
        self.lam_convention = lam_convention
        self.bias = bias
        self.folds = folds
        self.scoring = scoring
        self.rule = rule
        self.random_state = random_state
        self.landmarks = landmarks
        self.task = task
        self.n_jobs = n_jobs
        self.n_threads = n_threads
        self.progress = progress
        self.time_limit = time_limit

    @with_callbacks
    def fit(
        self, X: ArrayLike, y: ArrayLike | None = None, *, groups: Any = None, **params: Any
    ) -> KernelSelector:
        """Elect a kernel and fit the estimator with it.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix of shape (n, n_features), or list
            Training rows; kernel matrices, or None, where the candidates are matrices; where they
            are callables, a list of anything that these take.
        y : array-like of shape (n,) or, for regression, (n, n_targets)
            Labels or numbers. Every criterion that can elect needs them, also where the estimator
            does not.
        groups : array-like of shape (n,), optional
            Rows of one group, such as those of one patient, are held out together in the election.
        **params : dict
            Metadata for the estimator's ``fit``, such as ``sample_weight``.

        Returns
        -------
        KernelSelector
            The fitted meta-estimator.
        """
        self._check_params()
        if y is None:
            raise ValueError(
                "This KernelSelector estimator requires y to be passed, but the target y is None: "
                "every criterion that can elect a kernel looks at it, whatever the estimator does"
            )
        with reported(self, X, y) as tick:
            self._fit(X, y, groups, params, tick)
        return self

    def _fit(self, X: Any, y: Any, groups: Any, params: dict[str, Any], tick: Tick | None) -> None:
        task = self._task()
        matrices = matrices_of(self.kernels, X)
        self._refuse_misfits(matrices is not None)
        self._on_matrices = matrices is not None
        rows, target = self._checked_rows(X, y, task) if matrices is None else (None, y)
        if matrices is not None:
            target = check_array(y, ensure_2d=False, dtype=None, input_name="y")
            self.n_features_in_ = len(target)
        if task == "classification":
            check_classification_targets(target)
        given = X if column_names(X) is not None else rows
        weights = weights_of(self.estimator, target, params.get("sample_weight"), task)
        kernels = self.kernels if matrices is None else matrices
        whole = options_of(self, task, groups=groups, weights=weights)
        voters, options = asked(self, given, target, kernels, whole)
        deadline = Deadline.of(self.time_limit)
        if self._hands_lambda and (self.landmarks is None or matrices is not None):
            refuse_too_many_rows(len(target))
        chosen = hold_election(
            *voters, options, progress=tick or self.progress, later=for_lambda(self, options)
        )
        if self.refine:
            chosen = refined(chosen, *voters[:2], options, deadline=deadline)
        self.result_ = chosen
        self.best_kernel_, self.best_index_ = chosen.kernel, chosen.index
        self.best_score_ = chosen.score
        self.cv_results_ = cv_results(chosen)
        inner = self._new_inner(chosen.table.task)
        model = (
            model_of(chosen, *voters, options, deadline=deadline) if self._hands_lambda else None
        )
        self.election_rows_ = len(voters[1])
        if model is not None and self.election_rows_ < len(target):
            model = model._on_rows(len(target))
        way = hand_over(chosen.kernel, inner, model, y=target, objects=isinstance(rows, Objects))
        warn_replaced(chosen.kernel, inner)
        self.best_params_ = dict(way.params)
        self._precomputed, self._factors = way.precomputed, way.factors
        fresh = clone(inner).set_params(**self.best_params_)
        routed = self._for_inner(params, groups, fresh)
        self.X_fit_ = rows
        training = None
        if self.refit or self._judges_pairs:
            training = self._handed(rows) if matrices is None else matrices[chosen.index]
        self.fold_results_ = None
        if self._judges_pairs and model is not None:
            own = Rows(training, way.precomputed, target, routed, weights)
            self._judge_pairs(fresh, own, whole, deadline)
        if self.refit:
            self._refit(fresh, training, target, routed)
        else:
            del self.X_fit_


__all__ = ["KernelSelector"]
