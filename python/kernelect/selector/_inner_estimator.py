"""The estimator inside a meta-estimator: which it is, what it can do, what metadata it takes."""

from __future__ import annotations

from typing import Any

from sklearn.base import is_classifier, is_regressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    _routing_enabled,
    process_routing,
)

from .._support.arguments import check_flag, shown
from .._support.notebooks import FittedDetails, folded
from .._support.threads import resolve_jobs
from .._support.warning import warn_caller
from ..criteria import get
from ..kernels import Gaussian, Precomputed
from ..lssvm import LSSVMClassifier, LSSVMRegressor
from ..lssvm._least_squares import LeastSquares
from ._election import refuse_nothing_to_refine
from ._hand_over import hand_over, is_bare_process, is_libsvm, refuse_without_regularisation

try:
    from sklearn.utils._repr_html.estimator import _VisualBlock
except ImportError:  # before scikit-learn 1.7
    from sklearn.utils._estimator_html_repr import _VisualBlock


class InnerEstimator(FittedDetails):
    """What a meta-estimator with the parameters `estimator` and `task` takes over from it."""

    estimator: Any
    best_estimator_: Any
    kernels: Any
    task: str
    lam_convention: str
    bias: bool | None
    C: str | None
    refit: bool
    refine: bool = False  # not in pickles of version 0.1.0
    criterion: Any
    lam: Any
    scoring: str | None
    rule: str
    n_jobs: int | None
    # What pickles of version 0.1.0 do not have.
    n_threads: int | None = None
    regularization: str | None = None
    landmarks: Any = "auto"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        inner = getattr(self, "best_estimator_", None) or self._static_inner()
        if inner is not None:
            own = get_tags(inner)
            tags.estimator_type = own.estimator_type
            tags.classifier_tags = own.classifier_tags
            tags.regressor_tags = own.regressor_tags
            tags.transformer_tags = own.transformer_tags
            if tags.classifier_tags is not None:
                tags.classifier_tags.multi_label = False  # elections have one label per row
            tags.input_tags.sparse = own.input_tags.sparse
            tags.target_tags = own.target_tags
            tags.non_deterministic = own.non_deterministic
        else:  # y decides what it becomes; what it can do as a classifier is known
            tags.classifier_tags = get_tags(LSSVMClassifier()).classifier_tags
            tags.classifier_tags.multi_label = False
            tags.input_tags.sparse = True
        tags.input_tags.pairwise = isinstance(self.kernels, str) and self.kernels == "precomputed"
        tags.target_tags.required = True
        return tags

    def _sk_visual_block_(self) -> Any:
        """Return the diagram of notebooks: the fitted estimator inside, or the one to be fitted."""
        fitted = hasattr(self, "best_estimator_")
        inner = self._inner()
        return _VisualBlock(
            "parallel",
            [inner],
            names=[f"{'best_estimator_' if fitted else 'estimator'}: {type(inner).__name__}"],
            name_details=[str(inner)],
        )

    def _fitted_html(self) -> str:
        chosen = getattr(self, "result_", None)
        return "" if chosen is None else folded(f"elected: {chosen.kernel}", chosen._repr_html_())

    @property
    def _sets_lambda(self) -> bool:
        """Whether the estimator's regularisation is to be set: by either name, or it has none."""
        asked = self.C is not None or self.regularization is not None
        return asked or is_bare_process(self.estimator)

    @property
    def _hands_lambda(self) -> bool:
        """Whether a lambda goes to the estimator; the default one has none of its own."""
        return self._sets_lambda or self.estimator is None

    @property
    def _bias(self) -> bool:
        """Whether the models that are judged have a bias: as the estimator does, unless told."""
        return not isinstance(self.estimator, KernelRidge) if self.bias is None else self.bias

    def _check_params(self) -> None:
        """Raise before any work where a parameter is none of its values."""
        for name in ("C", "regularization"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, str) and value == "auto"):
                raise ValueError(
                    f"{name} must be None or 'auto', not {shown(value)}; set a number on the "
                    "estimator itself, as in KernelSelector(SVC(C=10))"
                )
        check_flag(self.refit, "refit")
        check_flag(self.refine, "refine")
        if isinstance(self.estimator, type) or not (
            self.estimator is None or hasattr(self.estimator, "fit")
        ):
            raise TypeError(
                f"estimator must be an estimator such as SVC(), not {shown(self.estimator)}"
            )
        if not (isinstance(self.criterion, str) and self.criterion == "auto"):
            get(self.criterion)

    def _refuse_misfits(self, on_matrices: bool) -> None:
        """Raise before the work where the estimator takes no kernel, or no regularisation.

        And where no candidate has anything to refine.
        """
        if self.refine:
            refuse_nothing_to_refine(self.kernels, on_matrices)
        if self.estimator is not None:
            hand_over(Precomputed(0) if on_matrices else Gaussian(1.0), self.estimator)
            if self._sets_lambda:
                refuse_without_regularisation(self.estimator)

    def _static_inner(self) -> Any:
        """Estimator that will be fitted, as far as it is known without data."""
        if self.estimator is not None:
            return self.estimator
        if self.task == "classification":
            return LSSVMClassifier()
        return LSSVMRegressor() if self.task == "regression" else None

    def _inner(self) -> Any:
        """Estimator inside, fitted where possible."""
        if hasattr(self, "best_estimator_"):
            return self.best_estimator_
        known = self._static_inner()
        return LSSVMClassifier() if known is None else known

    def _new_inner(self, task: str) -> Any:
        """Return the estimator to fit: the one given, or the learner for the task."""
        if self.estimator is not None:
            return self.estimator
        kind = LSSVMClassifier if task == "classification" else LSSVMRegressor
        threads = resolve_jobs(self.n_jobs, self.n_threads)
        return kind(lam_convention=self.lam_convention, bias=self._bias, lam=1.0, n_jobs=threads)

    def _task(self) -> str:
        inner = self._static_inner()
        if inner is None or not (is_classifier(inner) or is_regressor(inner)):
            return self.task
        task = "classification" if is_classifier(inner) else "regression"
        if self.task not in ("auto", task):
            warn_caller(
                f"task={self.task!r} plays no part where the estimator tells what y is: "
                f"{type(inner).__name__} is for {task}"
            )
        return task

    @property
    def _judges_pairs(self) -> bool:
        """Whether folds of the estimator judge C: of a support vector machine, the default way."""
        automatic = isinstance(self.criterion, str) and self.criterion == "auto"
        chosen = self.lam is None or isinstance(self.lam, str)
        usual = automatic and chosen and self.scoring is None and self.rule == "best"
        return usual and self._sets_lambda and is_libsvm(self.estimator)

    def _for_inner(self, params: dict[str, Any], groups: Any, inner: Any) -> dict[str, Any]:
        """Return the metadata for the fit of the estimator inside."""
        if not _routing_enabled():
            routed = dict(params)
        else:
            given = params if groups is None else {**params, "groups": groups}
            routed = dict(process_routing(self, "fit", **given).estimator.fit)
        if isinstance(inner, LeastSquares):  # which may have a lambda to choose
            routed.pop("groups", None)
            if groups is not None and isinstance(inner.lam, str):
                routed["groups"] = groups
        return routed

    def get_metadata_routing(self) -> MetadataRouter:
        """Where metadata go: ``groups`` to the election, others, as requested, to the estimator.

        Returns
        -------
        MetadataRouter
            Routing of ``fit`` and ``score``.
        """
        inner = self._static_inner()
        mapping = MethodMapping()
        for method in ("fit", "score"):
            mapping.add(caller=method, callee=method)
        inner = LSSVMClassifier() if inner is None else inner
        router = MetadataRouter(owner=self).add_self_request(self)
        return router.add(estimator=inner, method_mapping=mapping)
