"""scikit-learn's own suite for estimators. The one thing declared is that there are two classes."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from induce import GPClassifier


@pytest.mark.filterwarnings("ignore::UserWarning")  # the checks feed constant features and a handful of rows
@parametrize_with_checks([GPClassifier(), GPClassifier(kernel="matern32", ard=False, warp="none")])
def test_scikit_learn_check(estimator, check):
    check(estimator)
