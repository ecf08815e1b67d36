"""Files: svmlight text, CSV and NumPy's .npz, read into rows and a target."""

from ._readers import Dataset, read, read_csv, read_npz, read_svmlight

__all__ = ["Dataset", "read", "read_csv", "read_npz", "read_svmlight"]
