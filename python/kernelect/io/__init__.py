"""Files: svmlight text, CSV and NumPy's .npz, read into rows and a target."""

from ._csv import read_csv
from ._dataset import Dataset
from ._npz import read_npz
from ._readers import read
from ._svmlight import read_svmlight

__all__ = ["Dataset", "read", "read_csv", "read_npz", "read_svmlight"]
