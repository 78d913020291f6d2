"""GainSampling: a query strategy of scikit-activeml."""

from __future__ import annotations

from typing import Any

import numpy as np
from skactiveml.base import SingleAnnotatorPoolQueryStrategy
from skactiveml.utils import MISSING_LABEL
from sklearn.base import clone

from .active import ranked


class GainSampling(SingleAnnotatorPoolQueryStrategy):
    """Chooses the candidates whose labels are expected to improve the predictions for all candidates most.

    Parameters
    ----------
    missing_label : the value in y of a row without label, default nan
    random_state : int, RandomState or None, default None
    random_share : float, default 0.1
        The share of each batch that is drawn at random.
    """

    def __init__(self, missing_label: Any = MISSING_LABEL, random_state: Any = None, random_share: float = 0.1):
        super().__init__(missing_label=missing_label, random_state=random_state)
        self.random_share = random_share

    def query(
        self,
        X: Any,
        y: Any,
        clf: Any,
        fit_clf: bool = True,
        sample_weight: Any = None,
        candidates: Any = None,
        batch_size: int = 1,
        return_utilities: bool = False,
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """Return which rows to label next, the first one first, as all strategies of scikit-activeml do.

        clf is a SklearnClassifier of a GPClassifier, or of a pipeline that ends with one. A row of the utilities has
        the gain of the row that was chosen then, beyond the labels of those before it; the others are nan: they are
        not computed.
        """
        X, y, candidates, batch_size, return_utilities = self._validate_data(
            X, y, candidates, batch_size, return_utilities, reset=True, check_X_dict={"ensure_all_finite": False}
        )
        rows, mapping = self._transform_candidates(candidates, X, y)
        if fit_clf:
            clf = clone(clf).fit(X, y) if sample_weight is None else clone(clf).fit(X, y, sample_weight)
        chosen, gain = ranked(
            clf.estimator_,
            rows,
            batch_size,
            random_share=self.random_share,
            random_state=int(self.random_state_.randint(2**31 - 1)),
        )
        positions = chosen if mapping is None else mapping[chosen]
        if not return_utilities:
            return positions
        utilities = np.full((len(positions), len(rows) if mapping is None else len(X)), np.nan)
        utilities[np.arange(len(positions)), positions] = gain
        return positions, utilities
