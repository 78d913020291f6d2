#!/usr/bin/env python3
"""Writes probit_digits.inc, the stored digits of test_probit.cpp: 30-digit integrals by mpmath.

Each row: mean, variance, E[l], E[l'], E[l''], log E[Phi]  with l = log Phi, f ~ N(mean, variance).
The trapezoid rule in f, with a step that both the normal density and the zeros of Phi at 1.92 +- 2.82 i
allow: its error is far below the digits kept. The range is 14 standard deviations either side of the mean.
l'' = -l' (l' + f) loses twice the digits of f on the left; 40 are carried.
Usage: make_probit_digits.py > probit_digits.inc
"""
import mpmath as mp

mp.mp.dps = 40
MEANS = ["-50", "-33.3", "-20", "-8.5", "-3", "-1", "-0.25", "0", "0.1", "0.7", "2", "5", "12.5", "27", "50"]
VARIANCES = ["0", "1e-12", "1e-4", "0.01", "0.3", "1", "4", "30", "300", "1600"]
DEEP_TAIL = [("-1e8", "0"), ("-1e6", "1"), ("-1e4", "100"), ("-700", "1"), ("-500", "300"), ("-150", "1e4"),
             ("-40", "0"), ("300", "1e4"), ("0", "1e5")]


def mills(z):
    """Phi(-z) / phi(z), z >= 0."""
    if z > 15:  # the continued fraction; erfc underflows far out
        tail = z
        for j in range(40, 0, -1):
            tail = z + j / tail
        return 1 / tail
    return mp.erfc(z / mp.sqrt(2)) / 2 * mp.sqrt(2 * mp.pi) * mp.exp(z * z / 2)


def log_phi(f):
    return -f * f / 2 - mp.log(2 * mp.pi) / 2


def log_Phi(f):
    return mp.log1p(-mp.exp(log_phi(f)) * mills(f)) if f > 0 else log_phi(f) + mp.log(mills(-f))


def at(f):
    """l, l', l'' at f."""
    value = log_Phi(f)
    slope = mp.exp(log_phi(f) - value) if f > 0 else 1 / mills(-f)
    return value, slope, -slope * (slope + f)


def means(m, v):
    if v == 0:
        return at(m)
    s = mp.sqrt(v)
    step = min(s / 6, mp.mpf(1) / 5)
    count = int(14 * s / step) + 1
    totals = [mp.mpf(0)] * 3
    for j in range(-count, count + 1):
        weight = mp.exp(-((j * step) ** 2) / (2 * v))
        for k, value in enumerate(at(m + j * step)):
            totals[k] += weight * value
    return [t * step / mp.sqrt(2 * mp.pi * v) for t in totals]


print("// Made by make_probit_digits.py: mean, variance, E[l], E[l'], E[l''], log E[Phi]")
for mean, variance in [(m, v) for v in VARIANCES for m in MEANS] + DEEP_TAIL:
    m, v = mp.mpf(mean), mp.mpf(variance)
    row = [*means(m, v), log_Phi(m / mp.sqrt(1 + v))]
    digits = ", ".join(mp.nstr(x, 20) if abs(x) > 1e-300 else "0" for x in row)
    print(f"{{{mean}, {variance}, {digits}}},")
