"""The grid of LIBSVM's guide, and as many regularisers of ridge regression."""

import numpy as np

C = 2.0 ** np.arange(-5, 16, 2)
GAMMA = 2.0 ** np.arange(-15, 4, 2)
ALPHA = 2.0 ** np.arange(-15, 10, 2)
