"""The regressor that learns a combination of given kernels."""

from __future__ import annotations

from typing import Any

from ._finite import FiniteMKL
from ._targets import RegressorPart


class MKLRegressor(RegressorPart, FiniteMKL):
    r"""Regressor that learns a combination of kernels.

    As `MKLClassifier`, with the SVR (or least squares) as the machine:
    :math:`W = \max_a t'a - \epsilon |a|_1 - a'K_d a / 2`, :math:`|a_i| \le C`, :math:`1'a = 0`. The
    numbers t are y, brought to mean 0 and variance 1: C, epsilon and objectives do not depend on
    the unit of y, and predictions, `dual_coef_` and `intercept_` have that unit.

    Parameters
    ----------
    method : str, default="fkl"
        How the weights are found; see `MKLClassifier`. ``"sm"`` mostly selects a single kernel,
        often one of low rank.
    kernels : list or "precomputed", optional
        Base kernels, positive semidefinite: kernels and callables, or nothing but kernel matrices
        (then `X` in ``fit`` may be None, and new rows are matrices too); ``"precomputed"``: `X`
        is a list, a stack or a `KernelStackView` of kernel matrices. By default the candidates of
        the FKL paper: 21 Gaussians, gamma = 2^-10 .. 2^10, and the polynomials of degree 1 .. 20.
    C : float or "auto", default=1.0
        Weight of the losses against half the squared norm; "auto" takes the one of least exact
        leave-one-out loss, see `MKLClassifier`. The ridge of least squares, and of the
        cross-validation inside ``"ks"``, is ``1 / (2 C)``.
    epsilon : float, default=0.1
        Half width of the band in which the SVR has no loss, in standard deviations of y.
    learner : {"svm", "lssvm"}, default="svm"
        The machine: the SVR by LIBSVM, or the least-squares SVM.
    scaling : {"diagonal", "none", "trace", "centered"}, default="diagonal"
        What is done to the base kernels; see `MKLClassifier`.
    lam, t, cv, projection : optional
        FKL; see `MKLClassifier`. The held-out error of `cv` is the mean squared error.
    p, form, penalty, penalty_weight, r, normalization, eta, folds : optional
        Parameters of other single methods; see `MKLClassifier`.
    tol : float, default=1e-4
        Methods that iterate stop at a duality gap, or projected gradient, of
        ``tol * max(1, |objective|)``.
    max_iter : int, default=200
        Most machines trained, or objectives evaluated, in one descent. A ``ConvergenceWarning``
        says when they were used up, or rounding ended the descent, before the tolerance was
        reached.
    n_jobs, n_threads : int, optional
        Threads for passes over the kernels and for linear algebra; 1 by default, -1 for all.
    time_limit : float, optional
        Seconds for the fit, after which the best weights so far are taken, with a warning; a
        `TimeoutError` where no machine can be trained in that time.

    Attributes
    ----------
    kernel_, kernels_, weights_, candidate_weights_, C_
        The learned kernel, the base kernels in use, their weights, those of all kernels given, and
        the C of the machine.
    objective_path_, gap_, n_iter_, converged_
        How the method came to its end.
    lam_, t_, cv_results_
        FKL: the values used, and how they were chosen.
    support_, X_fit_, dual_coef_, intercept_
        The machine; all of these as for `MKLClassifier`.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Names of the features, where all are text.

    See Also
    --------
    InfiniteMKLRegressor : Finds the base kernels too.

    Examples
    --------
    >>> import numpy as np
    >>> import kernelect as ke
    >>> X = np.linspace(-3, 3, 60)[:, None]
    >>> y = np.sin(2 * X[:, 0]) + 0.3 * X[:, 0]
    >>> mkl = ke.MKLRegressor("simple", [ke.Gaussian(0.1), ke.Gaussian(10.0), ke.Linear()], C=10.0)
    >>> bool(mkl.fit(X, y).score(X, y) > 0.98)
    True
    """

    def __init__(
        self,
        method: str = "fkl",
        kernels: Any = None,
        *,
        C: Any = 1.0,
        epsilon: float = 0.1,
        learner: str = "svm",
        scaling: str = "diagonal",
        lam: Any = 1.0,
        t: Any = 4,
        cv: Any = 3,
        projection: str = "euclidean",
        p: float | None = None,
        form: str = "sum",
        penalty: str = "l1",
        penalty_weight: float = 1.0,
        r: int = 2,
        normalization: str = "trace",
        eta: float = 1.0,
        folds: Any = 5,
        tol: float = 1e-4,
        max_iter: int = 200,
        n_jobs: int | None = None,
        n_threads: int | None = None,
        time_limit: float | None = None,
    ) -> None:
        self.method = method
        self.kernels = kernels
        self.C = C
        self.epsilon = epsilon
        self.learner = learner
        self.scaling = scaling
        self.lam = lam
        self.t = t
        self.cv = cv
        self.projection = projection
        self.p = p
        self.form = form
        self.penalty = penalty
        self.penalty_weight = penalty_weight
        self.r = r
        self.normalization = normalization
        self.eta = eta
        self.folds = folds
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.n_threads = n_threads
        self.time_limit = time_limit
