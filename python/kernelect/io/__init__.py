"""Files: svmlight text, CSV and NumPy's .npz, read into rows and a target."""

from ._csv import read_csv
from ._dataset import Dataset
from ._npz import read_npz
from ._readers import learn, read, read_like
from ._recipe import Recipe
from ._svmlight import read_svmlight

__all__ = [
    "Dataset",
    "Recipe",
    "learn",
    "read",
    "read_csv",
    "read_like",
    "read_npz",
    "read_svmlight",
]
