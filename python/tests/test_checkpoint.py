"""An interrupted fit resumes from its checkpoint. Oracle: an uninterrupted fit, bit for bit."""

import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from induce import Error, GPClassifier


def test_resumed_fit_equals_uninterrupted_fit(banana, tmp_path):
    X, y = banana
    state = tmp_path / "fit.state"
    seen = []
    stopped = GPClassifier(checkpoint=state, callback=lambda now: seen.append(now) or len(seen) < 4).fit(X, y)
    assert stopped.status_ == "interrupted"
    resumed = GPClassifier(resume=state).fit(X, y)
    uninterrupted = GPClassifier().fit(X, y)
    np.testing.assert_array_equal(resumed.predict_proba(X), uninterrupted.predict_proba(X))
    assert resumed.n_iter_ == uninterrupted.n_iter_
    with pytest.raises(Error, match="other data"):
        GPClassifier(resume=state).fit(X + 1, y)


def test_fit_resumes_after_sigkill(banana, tmp_path):
    X, y = banana
    np.savez(tmp_path / "data.npz", X=X, y=y)
    code = textwrap.dedent(
        """
        import os, signal, sys
        import numpy as np
        from induce import GPClassifier
        data = np.load("data.npz")
        def die(now):
            if now["stage"] == 2:
                os.kill(os.getpid(), signal.SIGKILL)
        GPClassifier(checkpoint="fit.state", checkpoint_every=0, callback=die).fit(data["X"], data["y"])
        """
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=False)
    assert done.returncode == -signal.SIGKILL
    resumed = GPClassifier(resume=os.fspath(tmp_path / "fit.state")).fit(X, y)
    np.testing.assert_array_equal(resumed.predict_proba(X), GPClassifier().fit(X, y).predict_proba(X))
