#!/usr/bin/env python3
"""Writes softmax_digits.inc: E log sum_c exp f_c, p_c = E softmax_c(f) and w_c = E p_c (1 - p_c) for independent
f_c ~ N(m_c, s_c^2), within 1e-13. Needs mpmath (and gmpy2 to be fast: two minutes).

C = 2    one integral over f_1 - f_0 ~ N(m_1 - m_0, s_0^2 + s_1^2), of the logistic function
C = 3    two integrals over f_1 - f_0 and f_2 - f_0, conditional on f_0 = m_0 + s_0 eps, where s_0 = 0 (a few)
others   the integral over u of src/likelihood/softmax.cpp, but with phi' and phi'' instead of hazards, with a step
         of 1/4 everywhere, phi by the trapezoid rule, and the range cut where nothing is left at 1e-20
"""

import itertools
import random

from mpmath import mp, mpf

mp.dps = 32
STEP = mpf(1) / 4


def two_classes(m, s):
    mean, deviation = m[1] - m[0], mp.sqrt(s[0] ** 2 + s[1] ** 2)

    def expectation(g):
        if deviation == 0:
            return g(mean)
        step = min(deviation, STEP) / 4 if deviation < 4 else STEP / 2
        reach = int(12 * deviation / step)
        nodes = [j * step for j in range(-reach, reach + 1)]
        weights = [mp.exp(-((x / deviation) ** 2) / 2) for x in nodes]
        return mp.fdot(weights, [g(mean + x) for x in nodes]) / mp.fsum(weights)

    def sigma(x):
        return 1 / (1 + mp.exp(-x))

    p = expectation(sigma)
    w = expectation(lambda x: sigma(x) * sigma(-x))
    return m[0] + expectation(lambda x: mp.log1p(mp.exp(x))), [1 - p, p], [w, w]


def three_classes(m, s):
    """s[0] = 0: a product rule for f_1 and f_2."""
    assert s[0] == 0

    def nodes(c):
        step = min(s[c] / 3, STEP)
        reach = int(10 * s[c] / step)
        weights = [mp.exp(-((j * step / s[c]) ** 2) / 2) for j in range(-reach, reach + 1)]
        total = mp.fsum(weights)
        return [(mp.exp(m[c] + j * step), w / total) for j, w in zip(range(-reach, reach + 1), weights)]

    e0 = mp.exp(m[0])
    log_sum, p, w = mpf(0), [mpf(0)] * 3, [mpf(0)] * 3
    for (e1, w1), (e2, w2) in itertools.product(nodes(1), nodes(2)):
        total, weight = e0 + e1 + e2, w1 * w2
        log_sum += weight * mp.log(total)
        for c, e in enumerate((e0, e1, e2)):
            p[c] += weight * e / total
            w[c] += weight * e * (total - e) / total**2
    return log_sum, p, w


def phi_and_derivatives(m, s, first, last):
    """phi, phi' and phi'' at u = j STEP, first <= j < last."""
    if s < 1e-4:  # to first order in s^2; the next term is 1e-18
        fineness, weights = 1, [mpf(1)]
    else:
        fineness = max(1, int(mp.ceil(2 * STEP / s)))
        reach = int(mp.ceil(12 * s / STEP * fineness))
        weights = [mp.exp(-((j * STEP / fineness / s) ** 2) / 2) for j in range(-reach, reach + 1)]
        total = mp.fsum(weights)
        weights = [w / total for w in weights]
    reach = len(weights) // 2
    G, G1, G2 = [], [], []
    for j in range(first * fineness - reach, last * fineness + reach):
        e = mp.exp(m + j * STEP / fineness)
        g = mp.exp(-e)
        derivatives = [g, -e * g, (e - 1) * e * g, (-e * e + 3 * e - 1) * e * g, (((e - 6) * e + 7) * e - 1) * e * g]
        half = s * s / 2 if s < 1e-4 else 0
        for i, values in enumerate((G, G1, G2)):
            values.append(derivatives[i] + half * derivatives[i + 2])
    out = ([], [], [])
    for j in range(last - first):
        window = slice(j * fineness, j * fineness + len(weights))
        for values, row in zip((G, G1, G2), out):
            row.append(mp.fdot(weights, values[window]))
    return out


def any_classes(m, s):
    first = int(min(-x - min(y * y / 2, 12 * y) - 48 for x, y in zip(m, s)) / STEP)
    first = min(first, int(-60 / STEP))
    last = int(max(min(-x + 11 * y + 5 for x, y in zip(m, s)), 6) / STEP)
    classes = [phi_and_derivatives(x, y, first, last) for x, y in zip(m, s)]
    log_sum, p, w = mpf(0), [mpf(0)] * len(m), [mpf(0)] * len(m)
    for j in range(last - first):
        Pi = mp.fprod(c[0][j] for c in classes)
        log_sum += mp.exp(-mp.exp((first + j) * STEP)) - Pi
        for c, (phi, phi1, phi2) in enumerate(classes):
            p[c] -= phi1[j] / phi[j] * Pi
            w[c] -= phi2[j] / phi[j] * Pi
    return log_sum * STEP, [x * STEP for x in p], [x * STEP for x in w]


def cases():
    rng = random.Random(5)
    for difference in (0, 1, -5, 50):
        for s in ((0, 0), (1e-6, 0.1), (0.5, 0.5), (1, 3), (2, 0), (5, 10), (40, 1), (40, 40)):
            yield (difference / 2, -difference / 2), s
    for m, s in (((0, 0, 0), (0, 1, 0.5)), ((1, 0, -1), (0, 2, 0.1)), ((0, 5, 4), (0, 1, 2))):
        yield m, s
    yield (0, 1, -1), (40, 0.5, 3)
    yield (50, -5, 0), (10, 40, 5)
    small = (0, 1e-6, 0.1, 0.5, 1, 2, 3)
    for C, count in ((3, 12), (5, 10), (10, 8), (30, 3)):
        for i in range(count):
            means = ((0, 1, -1), (0, 1, -1, 5, -5), (0, 5, -5, 50, -50))[i % 3]
            deviations = (*small, 5, 10) if C <= 5 else small
            if i % 2:
                deviations = (rng.choice(deviations),)
            yield (tuple(rng.choice(means) for _ in range(C)), tuple(rng.choice(deviations) for _ in range(C)))


def main():
    lines = ["// Made by make_softmax_digits.py: C, m, s, E log sum exp f, p, w."]
    for m, s in cases():
        exact_m, exact_s = [mpf(x) for x in m], [mpf(x) for x in s]
        if len(m) == 2:
            result = two_classes(exact_m, exact_s)
        elif len(m) == 3 and s[0] == 0 and s[1] > 0 and s[2] > 0 and max(s) <= 2:
            result = three_classes(exact_m, exact_s)
        else:
            result = any_classes(exact_m, exact_s)
        log_sum, p, w = result
        groups = [[repr(x) for x in m], [repr(x) for x in s], [mp.nstr(log_sum, 17)]]
        groups += [[mp.nstr(x, 17) if x > mpf(10) ** -25 else "0" for x in values] for values in (p, w)]
        lines.append(f"{len(m)}, " + ", ".join(", ".join(group) for group in groups) + ",")
        print(lines[-1][:100], flush=True)
    with open("softmax_digits.inc", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
