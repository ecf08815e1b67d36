"""The classifier that learns a combination of given kernels."""

from __future__ import annotations

from typing import Any

from ._finite import FiniteMKL
from ._targets import ClassifierPart


class MKLClassifier(ClassifierPart, FiniteMKL):
    r"""Classifier that learns a combination of kernels.

    The combination :math:`K_d = \sum_k d_k K_k` and the machine are learned together, or the
    weights first. More than two classes are separated one against the rest, with weights that all
    share.

    Parameters
    ----------
    method : str, default="fkl"
        How the weights are found.

        ``"fkl"``
            Finite kernel learning: ``W(K_d) - lam d'beta`` on the simplex, beta being the principal
            eigenvalue proportions of the kernels [1]_.
        ``"simple"``
            SimpleMKL [2]_, the same with ``lam = 0``.
        ``"gmkl"``
            ``W(K_d) + penalty(d)`` with ``d >= 0``, for sums or products of kernels [3]_.
        ``"lp"``
            Weights of lp-norm 1, any p >= 1 [4]_.
        ``"nlmkl"``
            The entrywise square of a sum, p = 1 or 2 [5]_.
        ``"align"``, ``"alignf"``, ``"align_linear"``
            From centred alignment [6]_: each kernel by its own; the best sum with weights that are
            not negative; the best sum, where it is positive semidefinite. Alignment does not see
            the size of a kernel: where a wide one wins, ``scaling="centered"`` or a larger `C`
            suits the machine better.
        ``"sm"``
            The largest spectral measure of the sum [7]_. It mostly selects a single kernel, and
            likes a concentrated spectrum: among its candidates a linear kernel of few features may
            win although the machine separates the classes better with another. For combinations use
            another method.
        ``"ks"``
            The least k-KS of the sum, cross-validation plus kernel stability [8]_.
        ``"average"``
            Equal weights, the baseline.
    kernels : list or "precomputed", optional
        Base kernels, positive semidefinite: kernels and callables, or nothing but kernel matrices
        (then `X` in ``fit`` may be None, and new rows are matrices too); ``"precomputed"``: `X`
        is a list, a stack or a `KernelStackView` of kernel matrices. By default the candidates of
        the FKL paper: 21 Gaussians, gamma = 2^-10 .. 2^10, and the polynomials of degree 1 .. 20.
    C : float or "auto", default=1.0
        Weight of the losses against half the squared norm. The ridge of least squares, and of the
        cross-validation inside ``"ks"``, is ``1 / (2 C)``; ``"auto"`` takes the one of least exact
        leave-one-out loss of least squares, for equal weights while weights are learned, and for
        the learned kernel in the end.
    learner : {"svm", "lssvm"}, default="svm"
        The machine: the SVM by LIBSVM, or the least-squares SVM.
    scaling : {"diagonal", "none", "trace", "centered"}, default="diagonal"
        What is done to the base kernels, whose sizes the weights depend on: division by
        ``sqrt(k(x, x) k(x', x'))``, nothing, or multiplication by ``n / tr K`` or ``n / tr HKH`` of
        the rows of the fit. New rows are treated in the same way.
    lam : float, list of float or "cv", default=1.0
        FKL: weight of the proportions. From a list, or from 2^-5 .. 2^5 for "cv", it is chosen by
        cross-validation, least error first, then least loss.
    t : int, list of int or "cv", default=4
        FKL: how many eigenvalues are principal, n - 1 at most. "cv" chooses from 2, 4, 8, 16.
    cv : int or splitter, default=3
        FKL: folds for `lam` and `t`.
    projection : {"euclidean", "paper"}, default="euclidean"
        FKL: steps on the simplex that reach the optimum; or, for comparison, gradient steps with
        the rule printed in the paper (clip, divide by the sum), which is no projection and ends at
        weights that are not optimal in general.
    p : float, optional
        Norm of the weights: any p >= 1 for ``"lp"`` (2 by default), 1 or 2 for ``"nlmkl"`` (1 by
        default); for ``"sm"`` and ``"ks"`` it only scales them (1 by default).
    form : {"sum", "product"}, default="sum"
        GMKL: a sum of kernels, or ``exp(-sum_j d_j (x_j - x'_j)^2)`` with a weight per feature.
    penalty : {"l1", "l2"}, default="l1"
        GMKL: ``penalty_weight * sum(d)``, or ``penalty_weight * |d - 1|^2 / 0.2``.
    penalty_weight : float, default=1.0
        GMKL: weight of the penalty.
    r : int, default=2
        SM: degree of the measure.
    normalization : {"trace", "sum"}, default="trace"
        SM: what the sum of kernels is divided by.
    eta : float, default=1.0
        k-KS: weight of the stability.
    folds : int or splitter, default=5
        k-KS: folds of the cross-validation.
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
    kernel_ : Kernel
        The learned kernel, usable in any estimator.
    kernels_ : list of Kernel
        The base kernels in use, scaled.
    weights_ : ndarray of shape (n_used,)
        Their weights: `kernel_` is the sum of ``weights_[k] * kernels_[k]``, or its square for
        ``"nlmkl"``. For GMKL products it is the product of the `kernels_`, and the weights are
        their rates.
    C_ : float
        The C of the machine.
    candidate_weights_ : ndarray of shape (n_kernels,)
        Weights of all kernels given (of all features for GMKL products), zeros included.
    objective_path_ : ndarray
        What the method optimises, after each step.
    gap_ : float
        Duality gap at the end; largest entry of the projected gradient for ``"nlmkl"``, ``"sm"``,
        ``"ks"`` and GMKL products; 0 for ``"align"`` and its relatives, which are closed forms.
    n_iter_ : int
        Machines trained, or objectives evaluated, in all descents of the method.
    converged_ : bool
        Whether the gap is within the tolerance.
    lam_, t_ : float, int
        FKL: the values used.
    cv_results_ : dict of ndarray
        FKL: held-out ``"error"`` and ``"loss"`` of every ``"lam"`` and ``"t"``, where they were
        chosen.
    support_ : ndarray of int
        Rows of the fit with a coefficient other than 0.
    X_fit_ : ndarray or sparse matrix, or None
        Those rows; None where the kernels were given as matrices.
    dual_coef_ : ndarray of shape (n_columns, n_support)
        Their coefficients.
    intercept_ : ndarray of shape (n_columns,)
        Constants.
    classes_ : ndarray
        The classes.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Names of the features, where all are text.

    See Also
    --------
    InfiniteMKLClassifier : Finds the base kernels too.

    Notes
    -----
    ``"fkl"``, ``"simple"``, ``"lp"`` and sums of ``"gmkl"`` are convex. They are solved by Newton
    steps, each of which trains the machine once; `gap_` is then a bound on the distance from the
    optimum that includes what the machine itself leaves open. The others are closed forms, or
    descents from several starts that end in a local optimum.

    Base kernels that repeat another or are constant on the rows (K = 11') are left out with a
    warning.

    References
    ----------
    .. [1] Y. Liu, S. Liao, H. Lin, Y. Yue and W. Wang, "Infinite kernel learning: generalization
       bounds and algorithms", AAAI 2017.
    .. [2] A. Rakotomamonjy, F. Bach, S. Canu and Y. Grandvalet, "SimpleMKL", JMLR 9, 2008.
    .. [3] M. Varma and B. R. Babu, "More generality in efficient multiple kernel learning", ICML
       2009.
    .. [4] M. Kloft, U. Brefeld, S. Sonnenburg and A. Zien, "lp-norm multiple kernel learning", JMLR
       12, 2011.
    .. [5] C. Cortes, M. Mohri and A. Rostamizadeh, "Learning non-linear combinations of kernels",
       NIPS 2009.
    .. [6] C. Cortes, M. Mohri and A. Rostamizadeh, "Algorithms for learning kernels based on
       centered alignment", JMLR 13, 2012.
    .. [7] J. Li, Y. Liu, H. Lin, Y. Yue and W. Wang, "Efficient kernel selection via spectral
       analysis", IJCAI 2017.
    .. [8] Y. Liu and S. Liao, "Preventing over-fitting of cross-validation with kernel stability",
       ECML PKDD 2014.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = load_wine(return_X_y=True)
    >>> X = StandardScaler().fit_transform(X)
    >>> kernels = [*ke.gaussian_grid(0, 6, step=2), ke.Linear()]
    >>> mkl = ke.MKLClassifier("simple", kernels).fit(X, y)
    >>> mkl.converged_
    True
    >>> mkl.score(X, y)
    1.0
    """

    def __init__(
        self,
        method: str = "fkl",
        kernels: Any = None,
        *,
        C: Any = 1.0,
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
