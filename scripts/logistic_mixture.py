#!/usr/bin/env python3
"""Computes the constants c and lambda of src/likelihood/logistic.cpp. Needs numpy and scipy.

    sigma(x) ~ sum_k c_k Phi(lambda_k x),     c_k > 0,  sum_k c_k = 1       (Monahan and Stefanski, 1992)

is fitted to minimize the largest error of sigma, its derivative and its antiderivative log(1 + e^x), that is of
E[l'], E[l''] and E[l] at zero variance. At positive variance each error is an average of errors at zero variance,
so it is no larger for any mean and variance.

log(lambda_k) is a cubic in k, with four coefficients found by Nelder-Mead; c follows from lambda by linear least
squares. Damped Gauss-Newton on all lambda_k and c_k from there gained little (a narrow curved valley), so the true
optimum may be slightly better.
Usage: logistic_mixture.py [terms]
"""
import sys

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, ndtr

# Beyond 42 both sides are below 1e-18. Dense near 0, where the errors oscillate fastest.
X = np.concatenate([np.linspace(0, 6, 400), np.geomspace(6, 42, 300)[1:]])


def phi(z):
    return np.exp(-z * z / 2) / np.sqrt(2 * np.pi)


def columns(lam):
    """Contribution of one unit of c_k to the three functions."""
    z = lam * X[:, None]
    return np.concatenate([phi(z) / lam - X[:, None] * ndtr(-z), ndtr(-z), lam * phi(z)])


def errors(c, lam):
    """Approximation minus truth at zero variance, of -l, l' and -l'' for x >= 0."""
    truth = np.concatenate([np.log1p(np.exp(-X)), expit(-X), expit(X) * expit(-X)])
    return columns(lam) @ c - truth


def worst(c, lam):
    return np.abs(errors(c, lam)).reshape(3, -1).max(axis=1)


HEAVY = 1e4  # weight of the equation sum c = 1


def linear_c(lam):
    truth = -errors(np.zeros_like(lam), lam)
    rows = np.vstack([columns(lam), np.full((1, lam.size), HEAVY)])
    return np.linalg.lstsq(rows, np.append(truth, HEAVY), rcond=None)[0]


def fit(terms):
    k = np.linspace(-1, 1, terms)

    def lambdas(cubic):
        return np.exp(np.polyval(cubic, k))

    def loss(cubic):
        lam = lambdas(cubic)
        if lam.max() > 10 or lam.min() < 0.01:
            return 10.0
        c = linear_c(lam)
        return np.log10(np.abs(errors(c, lam)).max()) + 10 * max(0, -c.min())

    spread = 0.9 * (terms / 8) ** 0.3
    found = np.array([0.0, 0.0, -spread, np.log(0.57)])
    for _ in range(3):
        found = minimize(loss, found, method="Nelder-Mead",
                         options=dict(maxiter=600, xatol=1e-5, fatol=1e-4)).x
    lam = lambdas(found)
    c = linear_c(lam)
    return c / c.sum(), lam


if __name__ == "__main__":
    terms = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    c, lam = fit(terms)
    order = np.argsort(-lam)
    c, lam = c[order], lam[order]
    for name, numbers in (("c", c), ("lambda", lam)):
        print(name)
        for number in numbers:
            print(f"    {number:.17g},")
    print("sum c - 1 =", c.sum() - 1)
    print("largest errors of E[l], E[l'], E[l'']:", *(f"{w:.2e}" for w in worst(c, lam)))
