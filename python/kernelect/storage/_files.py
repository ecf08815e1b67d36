"""Write to and read from files."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from .._support.files import write_text, written
from .._version import __version__
from ..kernels import Kernel
from ..results import ScoreTable, Selection
from ..results.serialization import from_dict, to_dict
from ._decoding import Decoder
from ._encoding import Encoder

MODEL_FORMAT = 1  # raised when files of an older form can no longer be read as they are

_JSON = "kernelect"  # the member of an archive that is not an array of the model
_STAMPS = (_JSON, "format", "scikit_learn")


def save(thing: Kernel | ScoreTable | Selection | BaseEstimator, path: str | Path) -> None:
    """Write a kernel, a result or a model to a file.

    Kernels and results are written as JSON. Models, fitted or not, are written as NumPy's ``.npz``:
    arrays, and JSON that says what they are. These are the learners, the estimators of kernel
    learning, `KernelSelector` around them or around ``SVC``, ``NuSVC``, ``SVR``, ``NuSVR``,
    ``OneClassSVM`` and ``KernelRidge``, those themselves, scalers (``StandardScaler``,
    ``MinMaxScaler``, ``MaxAbsScaler``, ``RobustScaler``), and pipelines of all these. No pickle is
    involved, so that loading runs no code; what needs one, a Gaussian process or a splitter as a
    parameter, is refused.

    The file appears whole or not at all: it is written beside and takes its name at the end.

    Parameters
    ----------
    thing : Kernel, ScoreTable, Selection or estimator
        What to write.
    path : str or Path
        Where to.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ke.LSSVMClassifier().fit(X, y)
    >>> path = pathlib.Path(tempfile.mkdtemp(), "model.npz")
    >>> ke.save(model, path)
    >>> bool((ke.load(path).predict(X) == model.predict(X)).all())
    True
    """
    if not isinstance(thing, BaseEstimator):
        write_text(path, json.dumps(to_dict(thing), indent=1, allow_nan=False) + "\n")
        return
    if Path(path).suffix.lower() == ".json":
        raise ValueError(
            f"a model holds arrays, which JSON cannot hold; give {str(path)!r} the ending .npz"
        )
    save_archive(path, {"model": thing})


def save_archive(path: str | os.PathLike[str], parts: Mapping[str, Any]) -> None:
    """Write models, and what belongs to them, under names of their own."""
    encoder = Encoder()
    data = {
        _JSON: __version__,
        "format": MODEL_FORMAT,
        "scikit_learn": sklearn.__version__,
        **{name: encoder.value(part) for name, part in parts.items()},
    }
    text = json.dumps(data, allow_nan=False).encode("utf-8")
    with written(path) as file:
        np.savez(file, **{_JSON: np.frombuffer(text, dtype=np.uint8)}, **encoder.arrays)  # type: ignore[arg-type]


def load(path: str | Path, functions: Mapping[str, Callable[..., Any]] = {}) -> Any:
    """Read what `save` or the command line wrote.

    Parameters
    ----------
    path : str or Path
        The file: JSON of a kernel or a result, also a report of the command line's ``--json``, or
        the archive of a model.
    functions : mapping of str to callable, optional
        The functions behind `Function` kernels by name; code is never loaded from a file.

    Returns
    -------
    Kernel, ScoreTable, Selection or estimator
        An equal object. A model predicts what it did before, to the last bit on the same machine;
        read by another version of scikit-learn, estimators of scikit-learn are refused where their
        parts have changed.
    """
    path = Path(path)
    if zipfile.is_zipfile(path):
        return load_archive(path, functions)["model"]
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise ValueError(
            f"{str(path)!r} is neither a JSON file nor the archive of a model"
        ) from None
    except RecursionError:
        raise ValueError(
            f"{str(path)!r} is nested too deeply for a saved kernel or result"
        ) from None
    return from_dict(data, functions)


def load_archive(
    path: str | os.PathLike[str], functions: Mapping[str, Callable[..., Any]] = {}
) -> dict[str, Any]:
    """Read what `save_archive` wrote: its parts by name."""
    name = str(path)
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {key: _member(archive, key) for key in archive.files}
        data = json.loads(arrays.pop(_JSON).tobytes().decode("utf-8"))
    except OSError:
        raise
    except Exception:  # noqa: BLE001 (damage surfaces as nearly anything)
        raise ValueError(f"{name!r} is not a saved model, or it is damaged; save it anew") from None
    return _decoded(name, data, Decoder(arrays, functions))


def _decoded(name: str, data: Any, decoder: Decoder) -> dict[str, Any]:
    """Return the parts of a file, or say in a sentence what is wrong with it."""
    form = data.get("format") if isinstance(data, dict) else None
    if type(form) is not int or form < 1:
        raise ValueError(f"{name!r} is not a saved model: it has no format number")
    if form > MODEL_FORMAT:
        raise ValueError(
            f"{name!r} has format {form}, and this version reads up to {MODEL_FORMAT}; use a newer "
            "kernelect"
        )
    try:
        parts = {key: decoder.value(part) for key, part in data.items() if key not in _STAMPS}
    except ValueError as error:
        raise ValueError(f"{name!r} cannot be loaded: {error}") from None
    except (TypeError, KeyError, AttributeError, IndexError, OverflowError, RecursionError):
        raise ValueError(
            f"{name!r} is not a saved model: its parts have the wrong form; {_remedy(data)}"
        ) from None
    if not isinstance(parts.get("model"), BaseEstimator):
        raise ValueError(f"{name!r} is not a saved model: it holds none")  # noqa: TRY004
    return parts


def _remedy(data: dict[str, Any]) -> str:
    """Say what helps where the parts of a file have the wrong form."""
    version = data.get(_JSON)
    if version == __version__ or not isinstance(version, str):
        return "save it anew"
    return f"it was saved by kernelect {version[:20]}, and this is {__version__}: load it with that"


def _member(archive: Any, key: str) -> NDArray[Any]:
    member = archive[key]
    if not isinstance(member, np.ndarray):
        raise TypeError(key)
    return member
