"""The estimator inside a meta-estimator: which it is, what it can do, what metadata it takes."""

from __future__ import annotations

from typing import Any

from sklearn.base import is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

from .._support.arguments import check_flag, shown
from .._support.threads import resolve_jobs
from ..criteria import get
from ..lssvm import LSSVMClassifier, LSSVMRegressor


class InnerEstimator:
    """What a meta-estimator with the parameters `estimator` and `task` takes over from it."""

    estimator: Any
    task: str
    lam_convention: str
    bias: bool
    C: str | None
    refit: bool
    criterion: Any
    n_jobs: int | None
    # What pickles of version 0.1.0 do not have.
    n_threads: int | None = None
    regularization: str | None = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        inner = getattr(self, "best_estimator_", None) or self._static_inner()
        if inner is not None:
            own = get_tags(inner)
            tags.estimator_type = own.estimator_type
            tags.classifier_tags = own.classifier_tags
            tags.regressor_tags = own.regressor_tags
            tags.transformer_tags = own.transformer_tags
            tags.input_tags.sparse = own.input_tags.sparse
            tags.target_tags = own.target_tags
            tags.non_deterministic = own.non_deterministic
        else:  # y decides what it becomes; what it can do as a classifier is known
            tags.classifier_tags = get_tags(LSSVMClassifier()).classifier_tags
            tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    @property
    def _sets_lambda(self) -> bool:
        """Whether the estimator's regularisation is to be set, by either name of that."""
        return self.C is not None or self.regularization is not None

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
        if isinstance(self.estimator, type) or not (
            self.estimator is None or hasattr(self.estimator, "fit")
        ):
            raise TypeError(
                f"estimator must be an estimator such as SVC(), not {shown(self.estimator)}"
            )
        if not (isinstance(self.criterion, str) and self.criterion == "auto"):
            get(self.criterion)

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
        return kind(lam_convention=self.lam_convention, bias=self.bias, lam=1.0, n_jobs=threads)

    def _task(self) -> str:
        inner = self._static_inner()
        if inner is not None and is_classifier(inner):
            return "classification"
        return "regression" if inner is not None and is_regressor(inner) else self.task

    def get_metadata_routing(self) -> MetadataRouter:
        """Where metadata such as ``sample_weight`` go: to the estimator.

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
        return MetadataRouter(owner=self).add(estimator=inner, method_mapping=mapping)
