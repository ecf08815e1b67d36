"""Held-out predictions, which criteria of ridge systems are functions of."""

from __future__ import annotations

from .._support.arrays import FloatArray
from ._asked import asked


class HeldOut:
    """Predictions of rows by models that were not trained on them.

    Attributes
    ----------
    squared : ndarray of shape (candidates, lambdas, n)
        Squared residuals, the mean over columns of the target; NaN for a row that is never held
        out, and where there is no model.
    """

    def __init__(
        self,
        squared: FloatArray,
        *,
        sums: FloatArray | None = None,
        zero_one: FloatArray | None = None,
        outputs: FloatArray | None = None,
        variances: FloatArray | None = None,
    ) -> None:
        self.squared = squared
        self._sums, self._zero_one, self._outputs = sums, zero_one, outputs
        self._variances = variances

    @property
    def sums(self) -> FloatArray:
        """Means of squared residuals over rows, (candidates, lambdas, columns of the target)."""
        return asked(self._sums, "loo=True")

    @property
    def by_column(self) -> FloatArray | None:
        """The means in `sums`, None where not all rows that are held out count."""
        return self._sums

    @property
    def decided(self) -> bool:
        """Whether wrong decisions are known."""
        return self._zero_one is not None

    @property
    def zero_one(self) -> FloatArray:
        """Wrong decisions, (candidates, lambdas, n), one half where the output is exactly 0."""
        return asked(self._zero_one, "zero_one=True")

    @property
    def outputs(self) -> FloatArray:
        """Outputs, (candidates, lambdas, n, columns of the target)."""
        return asked(self._outputs, "outputs=True")

    @property
    def variances(self) -> FloatArray:
        """Variances of left-out targets given the others, (candidates, lambdas, n).

        Of the Gaussian process whose covariance is the kernel and whose noise is lambda; another
        scale of the targets multiplies all of them.
        """
        return asked(self._variances, "loo=True, variances=True")
