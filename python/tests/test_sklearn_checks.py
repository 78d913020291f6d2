"""scikit-learn's estimator checks, for two classes and more."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from induce import GPClassifier


@pytest.mark.filterwarnings("ignore::UserWarning")  # the checks use constant features and very few rows
@parametrize_with_checks([GPClassifier(), GPClassifier(kernel="matern32", ard=False, warp="none")])
def test_scikit_learn_check(estimator, check):
    check(estimator)
