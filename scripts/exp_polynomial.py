#!/usr/bin/env python3
"""Computes the polynomial of exp_fast in src/linalg/vector_math.hpp. Needs mpmath.

For |r| <= log(2)/2:  exp(r) = 1 + r + r^2 (p_0 + p_1 r + ... + p_9 r^9).
p interpolates (exp(r) - 1 - r) / r^2 at Chebyshev points, within a few percent of the minimax
polynomial. Prints p and the largest relative error of exp(r).
"""
import mpmath as mp

mp.mp.dps = 60
DEGREE = 9
RADIUS = mp.log(2) / 2 * (1 + mp.mpf("1e-9"))


def remainder(r):
    if abs(r) < mp.mpf("1e-8"):
        return mp.nsum(lambda k: r**k / mp.factorial(k + 2), [0, 12])
    return (mp.exp(r) - 1 - r) / r**2


nodes = [RADIUS * mp.cos(mp.pi * (2 * i + 1) / (2 * (DEGREE + 1))) for i in range(DEGREE + 1)]
vandermonde = mp.matrix([[x**j for j in range(DEGREE + 1)] for x in nodes])
coefficients = mp.lu_solve(vandermonde, mp.matrix([remainder(x) for x in nodes]))
rounded = [float(c) for c in coefficients]
for j, c in enumerate(rounded):
    print(f"p_{j} = {c!r}")


def error(r):
    poly = sum(mp.mpf(c) * r**j for j, c in enumerate(rounded))
    return abs((1 + r + r**2 * poly) / mp.exp(r) - 1)


print("largest relative error", mp.nstr(max(error(RADIUS * i / 2000) for i in range(-2000, 2001)), 3))
