#!/usr/bin/env python3
"""Writes logistic_digits.inc, the stored digits of test_logistic.cpp: 30-digit integrals by mpmath.

Each row: mean, variance, E[l], E[l'], E[l''], log E[sigma]  with l = log sigma, f ~ N(mean, variance).
Uses the trapezoid rule in f, with a step that suits both the normal density and the poles of sigma at +-i pi:
the error is far below the digits kept. The range covers the peaks of the integrands (the mean, 0 and the mean
shifted by the variance) by 14 standard deviations.
Usage: make_digits.py > logistic_digits.inc
"""
import mpmath as mp

mp.mp.dps = 40
MEANS = ["-50", "-33.3", "-20", "-8.5", "-3", "-1", "-0.25", "0", "0.1", "0.7", "2", "5", "12.5", "27", "50"]
VARIANCES = ["0", "1e-12", "1e-4", "0.01", "0.3", "1", "4", "30", "300", "1e4"]
DEEP_TAIL = [("-700", "1"), ("-500", "300"), ("-150", "300"), ("-1000", "2000"),
             ("-2000", "1e4"), ("-6000", "1e4")]


def log_sigma(f):
    return -mp.log1p(mp.exp(-f)) if f > 0 else f - mp.log1p(mp.exp(f))


def sigma(f):
    return 1 / (1 + mp.exp(-f)) if f > 0 else mp.exp(f) / (1 + mp.exp(f))


FUNCTIONS = [log_sigma, lambda f: sigma(-f), lambda f: -sigma(f) * sigma(-f), sigma]


def means(m, v):
    if v == 0:
        return [function(m) for function in FUNCTIONS]
    s = mp.sqrt(v)
    step = min(s / 6, mp.mpf(1) / 5)
    shift = min(v, abs(m))
    low, high = m - shift - 14 * s, m + shift + 14 * s
    count = int((high - low) / step) + 1
    totals = [mp.mpf(0)] * 4
    for i in range(count + 1):
        f = low + i * step
        weight = mp.exp(-((f - m) ** 2) / (2 * v))
        for k, function in enumerate(FUNCTIONS):
            totals[k] += weight * function(f)
    return [t * step / mp.sqrt(2 * mp.pi * v) for t in totals]


print("// Made by make_digits.py: mean, variance, E[l], E[l'], E[l''], log E[sigma]")
for mean, variance in [(m, v) for v in VARIANCES for m in MEANS] + DEEP_TAIL:
    value, slope, curvature, probability = means(mp.mpf(mean), mp.mpf(variance))
    row = [value, slope, curvature, mp.log(probability)]
    digits = ", ".join(mp.nstr(x, 20) if abs(x) > 1e-300 else "0" for x in row)
    print(f"{{{mean}, {variance}, {digits}}},")
