"""Writes laplace_digits.json: scikit-learn's Laplace approximation of GP classification on 30 seeded points.

It is an oracle for the Taylor rule: with Z = X and no noise its fixed point is the Laplace approximation (erratum E2),
so the mode, the log marginal likelihood and the latent mean and variance must agree. predict_proba is stored for the
record only: scikit-learn approximates that integral by a mixture of error functions, good to about 1e-3.

    python laplace_digits.py        needs numpy and scikit-learn
"""

import json
import platform
from pathlib import Path

import numpy as np
import scipy
import sklearn
from scipy.linalg import solve
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

SEED, N, N_TEST = 7, 30, 5
SIGNAL_STD, LENGTHSCALE = 1.8, 0.9

rng = np.random.default_rng(SEED)
X = rng.uniform(-3, 3, (N, 2)).round(4)
y = np.where(np.sin(X[:, 0]) + X[:, 1] / 2 + 0.5 * rng.standard_normal(N) > 0, 1, -1)
X_test = rng.uniform(-3, 3, (N_TEST, 2)).round(4)

kernel = ConstantKernel(SIGNAL_STD**2, "fixed") * RBF(LENGTHSCALE, "fixed")
classifier = GaussianProcessClassifier(kernel, optimizer=None, max_iter_predict=1000, warm_start=True).fit(X, y)

# scikit-learn stops once the objective gains less than 1e-10, and keeps pi, W and L of the step before the last.
# Refitting from the cached mode makes all of them converge to rounding.
laplace = classifier.base_estimator_
laplace.fit(X, y)

# The latent mean and variance, Algorithm 3.2 of Rasmussen and Williams, as in scikit-learn's predict_proba.
K_star = laplace.kernel_(laplace.X_train_, X_test)
latent_mean = K_star.T @ (laplace.y_train_ - laplace.pi_)
v = solve(laplace.L_, laplace.W_sr_[:, np.newaxis] * K_star)
latent_variance = laplace.kernel_.diag(X_test) - np.einsum("ij,ij->j", v, v)

digits = {
    "about": "Laplace approximation, kernel signal_std^2 exp(-|x - z|^2 / (2 lengthscale^2)), no noise, zero mean; "
    "probability is scikit-learn's own approximation of the integral",
    "made_by": {
        "script": "tests/reference/laplace_digits.py",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
        "seed": SEED,
    },
    "signal_std": SIGNAL_STD,
    "lengthscale": LENGTHSCALE,
    "X": X.tolist(),
    "y": y.tolist(),
    "X_test": X_test.tolist(),
    "mode": laplace.f_cached.tolist(),
    "log_marginal_likelihood": float(laplace.log_marginal_likelihood_value_),
    "latent_mean": latent_mean.tolist(),
    "latent_variance": latent_variance.tolist(),
    "probability": laplace.predict_proba(X_test)[:, 1].tolist(),
}
# json writes a double with the digits that give the same double back (up to 17).
lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in digits.items())
Path(__file__).with_suffix(".json").write_text("{\n" + lines + "\n}\n")
