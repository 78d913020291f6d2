#!/usr/bin/env python3
"""Computes the constants a, s and c of src/likelihood/probit.cpp. Needs numpy and scipy.

    -l''(x) ~ sum_k c_k Phi((a_k - x) / s_k),     l = log Phi,  c_k >= 0,  sum_k c_k = 1

is fitted to minimize the largest error of l'', l' and l, relative to max(1, l'), max(1, l') and max(1, |l|). At
positive variance each error is an average of errors at zero variance, so it is no larger.

The width and spacing of the terms depend on the distance to the singularities of l, the zeros of Phi at
1.92 +- 2.82 i, hence on D = sqrt(q^2 + max(0, x0 - a)^2) / q:
    a_0 = right,   a_(k+1) = a_k - h D (1 + g log D),   s_k = sigma h D
To the left h D grows like |a|, as required by the tail 1 - 1/x^2 of -l''; g spaces the far terms, which need fewer
digits, further apart. The six parameters are found by Nelder-Mead; c follows by linear least squares with c >= 0.
a and s are rounded to 5 digits before the last fit of c. Terms with c = 0 are dropped.
Usage: probit_mixture.py [terms]
"""
import sys

import numpy as np
from scipy.optimize import minimize, nnls
from scipy.special import erfcx, log_ndtr, ndtr

X = np.concatenate([-np.geomspace(1e7, 12, 400), np.linspace(-12, 9, 700)[1:], np.linspace(9, 40, 80)[1:]])


def truth():
    """-l, l' and -l'' at X."""
    R = np.sqrt(np.pi / 2) * erfcx(-np.minimum(X, 9) / np.sqrt(2))  # Phi(x) / phi(x)
    slope = np.where(X < 9, 1 / R, np.exp(-X * X / 2) / np.sqrt(2 * np.pi))
    with np.errstate(divide="ignore", over="ignore"):
        u2 = 1 / (X * X)
        series = 1 - u2 * (1 - u2 * (6 - u2 * (50 - u2 * 518)))
    return -log_ndtr(X), slope, np.where(X < -40, series, slope * (slope + X))


TRUTH = np.concatenate(truth())
WEIGHT = 1 / np.maximum(1, np.concatenate([TRUTH[:X.size]] + 2 * [TRUTH[X.size:2 * X.size]]))
HEAVY = 1e3  # weight of the equation sum c = 1


def columns(a, s):
    """Contribution of one unit of c_k to the three functions."""
    d = a - X[:, None]
    z = d / s
    P = ndtr(z)
    slope = d * P + s * np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
    return np.concatenate([(d * slope + s * s * P) / 2, slope, P])


def errors(c, a, s):
    return (columns(a, s) @ c - TRUTH) * WEIGHT


def linear_c(a, s, positive):
    rows = np.vstack([columns(a, s) * WEIGHT[:, None], np.full((1, a.size), HEAVY)])
    wanted = np.append(TRUTH * WEIGHT, HEAVY)
    return nnls(rows, wanted, maxiter=10**5)[0] if positive else np.linalg.lstsq(rows, wanted, rcond=1e-15)[0]


def centres_and_widths(six, terms):
    h, q, x0, right, sigma, g = six
    a, s = np.empty(terms), np.empty(terms)
    x = right
    for k in range(terms):
        D = np.hypot(q, max(0.0, x0 - x)) / q
        a[k], s[k] = x, sigma * h * D
        x -= h * D * (1 + g * np.log(D))
    return a, s


def fit(terms):
    def loss(six):
        a, s = centres_and_widths(six, terms)
        if min(six[0], six[1], six[4]) < 0.1 or six[3] > 9 or a[-1] < -1e7:
            return 10.0
        c = linear_c(a, s, positive=False)
        return np.log10(np.abs(errors(c, a, s)).max()) + 0.2 * np.log10(1 + max(0, -c.min()) / 1e-8)

    found = np.array([0.413 * 56 / terms, 2.86, -1.07, 5.42, 1.438, 0.3])
    for _ in range(3):
        simplex = found + np.vstack([np.zeros(6), np.diag([0.03, 0.2, 0.5, 0.3, 0.1, 0.05])])
        found = minimize(loss, found, method="Nelder-Mead",
                         options=dict(maxfev=600, initial_simplex=simplex, xatol=1e-5, fatol=1e-3)).x
    a, s = (np.array([float(f"{x:.5g}") for x in numbers]) for numbers in centres_and_widths(found, terms))
    c = linear_c(a, s, positive=True)
    a, s, c = a[c > 0], s[c > 0], c[c > 0]
    return c / c.sum(), a, s


if __name__ == "__main__":
    terms = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    c, a, s = fit(terms)
    for term in zip(a, s, c):
        print("    {{{:.5g}, {:.5g}, {:.17g}}},".format(*term))
    print(c.size, "terms, sum c - 1 =", c.sum() - 1)
    worst = np.abs(errors(c, a, s)).reshape(3, -1).max(axis=1)
    print("largest errors of l, l', l'':", *(f"{w:.2e}" for w in worst))
