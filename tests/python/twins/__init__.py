"""Slow, obvious twins of the library: kernel matrices and criteria by their definitions.

Nothing here is clever. Every criterion takes an explicit Gram matrix ``k`` and the target, and
writes out the formula of the paper. The same lines run in double precision and, on the arrays that
``extended`` makes, in mpmath's arithmetic at its current precision: numpy then applies the
operators entry by entry, so no constant may be a rounded float (``a / n``, never ``a * (1 / n)``).

What a criterion needs beside these it names as a keyword: the ``task``, the ``folds`` (a number for
each row), the rows ``x`` and the library's ``kernel`` where the formula knows more than the matrix.
"""

from .kernels import *
from .landmarks import *
from .moments import *
from .numbers import *
from .ridge import *
from .spectrum import *
from .targets import *
