"""The estimators of kernel learning obey scikit-learn's rules."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification, make_regression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import kernelect as ke


@parametrize_with_checks(
    [
        ke.MKLClassifier(),
        ke.MKLRegressor(),
        ke.InfiniteMKLClassifier(),
        ke.InfiniteMKLRegressor(),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
