#!/usr/bin/env python3
"""Computes the polynomial of mills_ratio in src/likelihood/mills_ratio.hpp. Needs mpmath.

R(z) = Phi(-z) / phi(z), z >= 0, decays like 1/z. With q = (z - K)/(z + K), which maps [0, inf) to [-1, 1),
1 - q = 2K/(z + K) decays at the same rate, so R(z) = (1 - q) P(q) with a smooth P, interpolated at Chebyshev points.
Usage: mills_polynomial.py [K degree]. Prints P and the largest relative error of R.
"""
import sys

import mpmath as mp

mp.mp.dps = 50


def ratio(z):
    if z > 30:  # the continued fraction z + 1/(z + 2/(z + 3/...)); erfc underflows for large z
        tail = z
        for j in range(200, 0, -1):
            tail = z + j / tail
        return 1 / tail
    return mp.erfc(z / mp.sqrt(2)) / 2 * mp.sqrt(2 * mp.pi) * mp.exp(z * z / 2)


def smooth(q, K):
    return 1 / (2 * K) if q == 1 else ratio(K * (1 + q) / (1 - q)) / (1 - q)


def polynomial(K, degree):
    n = degree + 1
    nodes = [mp.cos(mp.pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    values = [smooth(x, K) for x in nodes]
    chebyshev = [2 * sum(v * mp.cos(mp.pi * j * (2 * i + 1) / (2 * n)) for i, v in enumerate(values)) / n
                 for j in range(n)]
    chebyshev[0] /= 2
    power = [mp.mpf(0)] * n  # Chebyshev to power basis, by the three-term recurrence
    previous, current = [mp.mpf(1)], [mp.mpf(0), mp.mpf(1)]
    power[0] += chebyshev[0]
    for j in range(1, n):
        for i, t in enumerate(current):
            power[i] += chebyshev[j] * t
        following = [mp.mpf(0)] + [2 * t for t in current]
        for i, t in enumerate(previous):
            following[i] -= t
        previous, current = current, following
    return [float(p) for p in power]


def largest_error(p, K):
    worst = 0
    for i in range(0, 1500):
        q = mp.mpf(-1) + mp.mpf(2 * i) / 1500
        value = sum(mp.mpf(c) * q**j for j, c in enumerate(p))
        worst = max(worst, abs(value / smooth(q, K) - 1))
    return worst


if __name__ == "__main__":
    K = mp.mpf(sys.argv[1]) if len(sys.argv) > 1 else mp.mpf(5)
    degree = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    p = polynomial(K, degree)
    for c in p:
        print(f"    {c!r},")
    print("K", K, "degree", degree, "largest relative error", mp.nstr(largest_error(p, K), 3))
