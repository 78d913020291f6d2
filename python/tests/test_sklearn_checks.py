"""scikit-learn's estimator checks. The only limitation declared in the tags is binary classification."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from induce import GPClassifier


@pytest.mark.filterwarnings("ignore::UserWarning")  # the checks use constant features and very few rows
@parametrize_with_checks([GPClassifier(), GPClassifier(kernel="matern32", ard=False, warp="none")])
def test_scikit_learn_check(estimator, check):
    check(estimator)
