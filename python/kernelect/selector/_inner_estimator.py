"""The estimator inside a meta-estimator: which it is, what it can do, what metadata it takes."""

from __future__ import annotations

from typing import Any

from sklearn.base import is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

from ..lssvm import LSSVMClassifier, LSSVMRegressor


class InnerEstimator:
    """What a meta-estimator with the parameters `estimator` and `task` takes over from it."""

    estimator: Any
    task: str
    lam_convention: str
    bias: bool
    n_jobs: int | None

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
        return kind(lam_convention=self.lam_convention, bias=self.bias, lam=1.0, n_jobs=self.n_jobs)

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
