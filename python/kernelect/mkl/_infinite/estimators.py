"""The estimators that find their base kernels in a family."""

from __future__ import annotations

from typing import Any

from .._targets import ClassifierPart, RegressorPart
from .fit import InfiniteMKL


class InfiniteMKLClassifier(ClassifierPart, InfiniteMKL):
    r"""Classifier that finds its base kernels in a family, and their weights.

    Column generation on the dual: with the coefficients z of the present machine, the kernel with
    the largest :math:`Q(\theta) = \lambda \beta_t(K_\theta) + z'K_\theta z / 2` is added until no
    kernel of the family exceeds those in use by more than the tolerance. The objective is then not
    above that of FKL with any finite choice of kernels from the family, up to that tolerance.

    Parameters
    ----------
    method : {"ifkl", "ikl"}, default="ifkl"
        With principal eigenvalue proportions [1]_, or without (``lam = 0``) [2]_.
    family : {"gaussian", "polynomial", "both", "ard"}, Family or list of Family, default="gaussian"
        Where base kernels come from: Gaussians with gamma from 2^-10 to 2^10, polynomials of degree
        1 .. 20, both, or Gaussians with a rate per feature; other ranges as `GaussianFamily`,
        `PolynomialFamily` and `ARDGaussianFamily`. All have unit diagonal.
    C : float or "auto", default=1.0
        Weight of the losses against half the squared norm; "auto" as for the `MKLClassifier`. The
        ridge of least squares is ``1 / (2 C)``.
    learner : {"svm", "lssvm"}, default="svm"
        The machine: the SVM by LIBSVM, or the least-squares SVM.
    lam : float, default=1.0
        IFKL: weight of the proportions.
    t : int, default=4
        IFKL: how many eigenvalues are principal, n - 1 at most.
    tol : float, default=1e-3
        Stop at a duality gap of ``tol * max(1, |objective|)``.
    max_rounds : int, default=30
        Most rounds of column generation.
    max_iter : int, default=200
        Most machines trained in one round.
    random_state : int, RandomState or None, default=0
        For the starts of the search in families with several rates.
    n_jobs, n_threads : int, optional
        Threads for passes over the kernels and for linear algebra; 1 by default, -1 for all.
    time_limit : float, optional
        Seconds for the fit, after which the best weights so far are taken, with a warning; a
        `TimeoutError` where no machine can be trained in that time.

    Attributes
    ----------
    kernel_ : WeightedSum
        The learned kernel, usable in any estimator.
    kernels_ : list of Kernel
        The base kernels found and in use.
    weights_ : ndarray of shape (n_used,)
        Their weights, which add up to 1.
    C_ : float
        The C of the machine.
    objective_path_ : ndarray of shape (n_rounds,)
        Objective after each round.
    gap_ : float
        Duality gap over the whole family, as far as the search found its best kernel.
    n_iter_ : int
        Machines trained.
    n_rounds_ : int
        Rounds of column generation.
    converged_ : bool
        Whether the gap is within the tolerance.
    support_, X_fit_, dual_coef_, intercept_
        The machine, as for `MKLClassifier`.
    classes_ : ndarray
        The classes.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Names of the features, where all are text.

    See Also
    --------
    MKLClassifier : Weights of given kernels.

    References
    ----------
    .. [1] Y. Liu, S. Liao, H. Lin, Y. Yue and W. Wang, "Infinite kernel learning: generalization
       bounds and algorithms", AAAI 2017.
    .. [2] P. V. Gehler and S. Nowozin, "Infinite kernel learning", Max Planck Institute for
       Biological Cybernetics, technical report 178, 2008.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> mkl = ke.InfiniteMKLClassifier("ikl", ke.mkl.GaussianFamily((0.01, 10.0))).fit(X, y)
    >>> mkl.converged_
    True
    >>> bool(mkl.score(X, y) > 0.95)
    True
    """

    def __init__(
        self,
        method: str = "ifkl",
        family: Any = "gaussian",
        *,
        C: Any = 1.0,
        learner: str = "svm",
        lam: float = 1.0,
        t: int = 4,
        tol: float = 1e-3,
        max_rounds: int = 30,
        max_iter: int = 200,
        random_state: Any = 0,
        n_jobs: int | None = None,
        n_threads: int | None = None,
        time_limit: float | None = None,
    ) -> None:
        self.method = method
        self.family = family
        self.C = C
        self.learner = learner
        self.lam = lam
        self.t = t
        self.tol = tol
        self.max_rounds = max_rounds
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.n_threads = n_threads
        self.time_limit = time_limit


class InfiniteMKLRegressor(RegressorPart, InfiniteMKL):
    r"""Regressor that finds its base kernels in a family, and their weights.

    As `InfiniteMKLClassifier`, with the SVR (or least squares) as the machine; y is brought to
    mean 0 and variance 1 for it, as by `MKLRegressor`.

    Parameters
    ----------
    method : {"ifkl", "ikl"}, default="ifkl"
        With principal eigenvalue proportions, or without.
    family : {"gaussian", "polynomial", "both", "ard"}, Family or list of Family, default="gaussian"
        Where base kernels come from; see `InfiniteMKLClassifier`.
    C : float or "auto", default=1.0
        Weight of the losses against half the squared norm; "auto" as for the `MKLClassifier`. The
        ridge of least squares is ``1 / (2 C)``.
    epsilon : float, default=0.1
        Half width of the band in which the SVR has no loss, in standard deviations of y.
    learner : {"svm", "lssvm"}, default="svm"
        The machine: the SVR by LIBSVM, or the least-squares SVM.
    lam : float, default=1.0
        IFKL: weight of the proportions.
    t : int, default=4
        IFKL: how many eigenvalues are principal, n - 1 at most.
    tol : float, default=1e-3
        Stop at a duality gap of ``tol * max(1, |objective|)``.
    max_rounds : int, default=30
        Most rounds of column generation.
    max_iter : int, default=200
        Most machines trained in one round.
    random_state : int, RandomState or None, default=0
        For the starts of the search in families with several rates.
    n_jobs, n_threads : int, optional
        Threads for passes over the kernels and for linear algebra; 1 by default, -1 for all.
    time_limit : float, optional
        Seconds for the fit, after which the best weights so far are taken, with a warning; a
        `TimeoutError` where no machine can be trained in that time.

    Attributes
    ----------
    kernel_, kernels_, weights_, C_
        The learned kernel, the base kernels in use, their weights, and the C of the machine.
    objective_path_, gap_, n_iter_, n_rounds_, converged_
        How the method came to its end.
    support_, X_fit_, dual_coef_, intercept_
        The machine; all of these as for `InfiniteMKLClassifier`.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Names of the features, where all are text.

    See Also
    --------
    MKLRegressor : Weights of given kernels.

    Examples
    --------
    >>> import numpy as np
    >>> import kernelect as ke
    >>> X = np.linspace(-3, 3, 60)[:, None]
    >>> y = np.sin(2 * X[:, 0]) + 0.3 * X[:, 0]
    >>> mkl = ke.InfiniteMKLRegressor(C=10.0).fit(X, y)
    >>> bool(mkl.score(X, y) > 0.98)
    True
    """

    def __init__(
        self,
        method: str = "ifkl",
        family: Any = "gaussian",
        *,
        C: Any = 1.0,
        epsilon: float = 0.1,
        learner: str = "svm",
        lam: float = 1.0,
        t: int = 4,
        tol: float = 1e-3,
        max_rounds: int = 30,
        max_iter: int = 200,
        random_state: Any = 0,
        n_jobs: int | None = None,
        n_threads: int | None = None,
        time_limit: float | None = None,
    ) -> None:
        self.method = method
        self.family = family
        self.C = C
        self.epsilon = epsilon
        self.learner = learner
        self.lam = lam
        self.t = t
        self.tol = tol
        self.max_rounds = max_rounds
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.n_threads = n_threads
        self.time_limit = time_limit
