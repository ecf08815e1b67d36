"""What both estimators that find their base kernels in a family do."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from ..._support.arguments import check_choice, check_number, check_whole
from ..._support.blas_memory import take_blas_memory
from ..._support.threads import limit_blas
from ..._support.warning import warn_caller
from ...kernels import Kernel, WeightedSum
from .._clock import limited
from .._methods.weight_problem import Settings
from .._prediction import KernelMachine
from .families import check_families
from .generation import Terms, generate


class InfiniteMKL(KernelMachine):
    """Learns kernels of a family and their weights."""

    method: Any
    family: Any
    lam: Any
    t: Any
    max_rounds: Any
    random_state: Any

    def fit(self, X: Any, y: Any) -> Any:
        """Find base kernels, learn their weights and train the machine.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Target.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._check_parameters()
        families = check_families(self.family)
        rows = self._rows(X, fit=True)
        target = self._check_target(y, rows.shape[0])
        machine = self._machine(target)
        threads = self._threads()
        random = np.random.default_rng(check_random_state(self.random_state).randint(2**31))
        take_blas_memory(threads)
        with limited(self.time_limit), limit_blas(threads):
            searches = [family.search(rows, threads, random) for family in families]
            machine = self._suited(
                machine, lambda: np.mean([search.start()(rows) for search in searches], axis=0)
            )
            terms = Terms(
                lam=float(self.lam) if self.method == "ifkl" else 0.0,
                t=int(self.t),
                tol=float(self.tol),
                max_rounds=int(self.max_rounds),
                max_iter=int(self.max_iter),
            )
            found = generate(rows, machine, searches, terms, threads)
            learned = found.learned
            self.kernels_: list[Kernel] = found.kernels
            self.weights_ = learned.weights
            self.n_rounds_ = len(learned.path)
            kernel = WeightedSum(self.kernels_, self.weights_)
            self._train(
                rows,
                kernel,
                learned,
                machine=machine,
                target=target,
                K=lambda: kernel(rows),
                budget="max_rounds, max_iter",
            )
        return self

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice(self.method, "method", ("ifkl", "ikl"))
        check_whole(self.max_rounds, "max_rounds", least=1)
        check_whole(self.t, "t", least=1)
        check_number(self.lam, "lam", zero=True)
        usual = Settings()
        if self.method == "ikl":
            changed = {"lam": self.lam != usual.lam, "t": self.t != usual.t}
            if names := [name for name, other in changed.items() if other]:
                play = "play" if len(names) > 1 else "plays"
                warn_caller(f"{' and '.join(names)} {play} no part in method 'ikl'; see 'ifkl'")
        elif self.lam == 0.0 and self.t != usual.t:
            warn_caller("t plays no part where lam is 0")
