"""A reader of model files that knows only docs/format.md and docs/math.md: NumPy and SciPy, nothing of induce.

It is written for clarity, not speed: integrals are plain sums over many nodes.
"""

import json

import numpy as np
from scipy import special, stats


class ModelFile:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        size = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + size])
        self.metadata = header.pop("__metadata__")
        self._check_hash(data)
        self.tensors = {}
        for name, tensor in header.items():
            begin, end = (8 + size + offset for offset in tensor["data_offsets"])
            self.tensors[name] = np.frombuffer(data[begin:end], "<f8").reshape(tensor["shape"])
        self.facts = json.loads(self.metadata["model"])

    def __getitem__(self, name):
        return self.tensors[name]

    def __contains__(self, name):
        return name in self.tensors

    def _check_hash(self, data):
        """CRC-64 of .xz files, with its own digits taken as 0."""
        digits = data.index(b'"content_hash":"') + len(b'"content_hash":"')
        table = []
        for value in range(256):
            for _ in range(8):
                value = value >> 1 ^ 0xC96C5795D7870F42 * (value & 1)
            table.append(value)
        crc = 2**64 - 1
        for byte in data[:digits] + b"0" * 16 + data[digits + 16 :]:
            crc = crc >> 8 ^ table[(crc ^ byte) & 255]
        assert f"{crc ^ 2**64 - 1:016x}".encode() == data[digits : digits + 16]


def rho(shape, r2):
    """The correlation of a shape at a squared distance in length-scales."""
    if shape == "se":
        return np.exp(-r2 / 2)
    nu = {"matern12": 0.5, "matern32": 1.5, "matern52": 2.5}.get(shape) or float(shape.removeprefix("matern:"))
    z = np.sqrt(2 * nu * np.maximum(r2, 1e-300))
    return np.where(z > 1e-100, 2 ** (1 - nu) / special.gamma(nu) * z**nu * special.kv(nu, z), 1)


class Features:
    """From the columns of a table, in the user's units, to the features of the kernel."""

    def __init__(self, file):
        self.file = file
        d = file["inducing_inputs"].shape[1]
        self.codes = self._codes() if "column_order" in file else None
        self.groups = [[f] for f in range(d)]
        self.is_value = np.ones(d, bool)
        self.spans = {f: (f, 1) for f in range(d)}  # of each column: its first feature, and how many it has
        if self.codes is not None:
            self.groups, self.is_value, count = [], np.zeros(d, bool), 0
            for column, is_number, own, gaps in self.codes:
                sizes = [1, len(own), gaps] if is_number else [len(own) + 1 + gaps]
                self.spans[column] = count, sum(sizes)
                self.is_value[count] = is_number
                for size in filter(None, sizes):
                    self.groups.append(list(range(count, count + size)))
                    count += size

    def _codes(self):
        """(column, is it a number, its repeated values or levels with a feature, has it gaps), in the order of features."""
        file = self.file
        levels = np.split(file["level_features"], np.cumsum(file["level_counts"]).astype(int))
        repeated = np.split(file["repeated_values"], np.cumsum(file["repeated_counts"]).astype(int))
        kinds = file.facts.get("kinds") or ["number"] * len(file["column_order"])
        for column in file["column_order"].astype(int):
            is_number = kinds[column] in ("number", "date")
            yield column, is_number, (repeated if is_number else levels)[column], int(file["column_gaps"][column])

    def apply(self, table):
        X = table if self.codes is None else np.column_stack([*self._encoded(table)])
        if "warp_exponent" in self.file:
            X = np.column_stack([self._warped(X[:, f], f) for f in range(X.shape[1])])
        X = (X - self.file["feature_shift"]) / self.file["feature_scale"]
        return np.where(np.isnan(X), 0, X)

    def _encoded(self, table):
        for column, is_number, own, gaps in self._codes():
            x = table[:, column]
            if is_number:
                yield x
            for value in own:
                yield (x == value).astype(float)
            if not is_number:
                yield (~np.isin(x, own) & ~np.isnan(x)).astype(float)
            if gaps:
                yield np.isnan(x).astype(float)

    def _warped(self, x, f):
        p = self.file["warp_exponent"][f]
        if p == 1:
            return x
        x = (x - self.file["warp_origin"][f]) / self.file["warp_unit"][f]
        size = np.abs(x)
        q = np.where(x < 0, 2 - p, p)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.sign(x) * np.where(q == 0, np.log1p(size), ((1 + size) ** q - 1) / q)


class Kernel:
    def __init__(self, file, groups):
        self.parts, self.variance, before = [], 0.0, "se"
        names = [name for name in file.facts["kernel"].split("+") if not name.startswith(("mains", "pairs"))]
        for number, name in enumerate(names):
            kind, _, members = name.partition(":") if name.startswith("additive") else (name, "", "")
            prefix = "kernel." + ("" if number == 0 and kind not in ("additive", "linear") else kind + ".")
            variance, l = file[prefix + "signal_std"][0] ** 2, file[prefix + "lengthscales"]
            self.variance += variance
            if kind == "additive":
                chosen = [int(g) for g in members.split(",")] if members else range(len(groups))
                l = np.broadcast_to(l, len(chosen))
                own = [(groups[g], np.full(len(groups[g]), l[k])) for k, g in enumerate(chosen)]
                self.parts.append((before, variance / len(chosen), own))
                continue
            l = np.broadcast_to(l, len(groups))
            every = [(f, l[g]) for g, features in enumerate(groups) for f in features]
            shape = "se" if kind == "linear" else kind
            self.parts.append((shape, variance, [tuple(np.array(each) for each in zip(*every, strict=True))]))
            before = before if kind == "linear" else kind
        self.diagonal = self.variance + (file["kernel.noise_std"][0] ** 2 if "kernel.noise_std" in file else 0)

    def __call__(self, X, Z):
        return sum(
            share * rho(shape, (((X[:, None, f] - Z[None, :, f]) / l) ** 2).sum(-1))
            for shape, share, members in self.parts
            for f, l in members
        )


class Terms:
    """C'h(x) of all terms."""

    def __init__(self, file, features):
        self.features, self.parts = features, []
        lists = dict(name.partition(":")[::2] for name in file.facts["kernel"].split("+"))
        axes = {kind: {c: self._axis(file, kind, c) for c in features.spans} for kind in ("knots", "pair_knots")}
        if "mains" in lists:
            every = sorted(c for c, axis in axes["knots"].items() if self._size(axis) > 1)
            chosen = sorted(map(int, lists["mains"].split(","))) if lists["mains"] else every
            self._add(file, "mains", [[axes["knots"][c]] for c in chosen])
        if "pairs" in lists:
            pairs = [sorted(map(int, pair.split("*"))) for pair in lists["pairs"].split(",")]
            self._add(file, "pairs", [[axes["pair_knots"][c] for c in pair] for pair in pairs])

    def _axis(self, file, kind, column):
        first, count = self.features.spans[column]
        is_number = self.features.is_value[first]
        knots, ranks = file[f"{kind}.{column}"] if f"{kind}.{column}" in file else np.empty((2, 0))
        return list(range(first + is_number, first + count)), first, knots, ranks

    @staticmethod
    def _size(axis):
        return len(axis[0]) + len(axis[2])

    def _add(self, file, kind, terms):
        lengthscales = iter(file[f"kernel.{kind}.lengthscales"] if f"kernel.{kind}.lengthscales" in file else [])
        for axes, std in zip(terms, file[f"kernel.{kind}.signal_std"], strict=True):
            factors = [self._factor(axis, next(lengthscales) if len(axis[2]) > 1 else 1) for axis in axes]
            self.parts.append((std, axes, factors))

    def _factor(self, axis, l):
        levels, _, _, ranks = axis
        R = np.eye(self._size(axis))
        r = np.sqrt(3) * np.abs(ranks[:, None] - ranks) / l
        R[len(levels) :, len(levels) :] = (1 + r) * np.exp(-r)
        return np.linalg.cholesky(R + 1e-6 * np.eye(len(R)))

    def _shares(self, axis, X):
        levels, value, knots, _ = axis
        h = np.zeros((len(X), self._size(axis)))
        h[:, : len(levels)] = X[:, levels]
        number = h.sum(1) == 0
        for k in range(len(knots)):  # linear between knots, constant beyond the last ones
            h[number, len(levels) + k] = np.interp(X[number, value], knots, np.eye(len(knots))[k])
        return h

    def __call__(self, X):
        out = [np.empty((0, len(X)))]
        for std, axes, factors in self.parts:
            h = [self._shares(axis, X) @ C for axis, C in zip(axes, factors, strict=True)]
            out.append(std * (h[0] if len(h) == 1 else np.einsum("ni,nj->nij", *h).reshape(len(X), -1)).T)
        return np.vstack(out)


class NumpyModel:
    def __init__(self, path):
        self.file = ModelFile(path)
        self.features = Features(self.file)
        self.kernel = Kernel(self.file, self.features.groups)
        self.terms = Terms(self.file, self.features)

    def latent(self, table):
        """Mean and variance of the latent functions, rows x functions, of rows that need no typical values."""
        file = self.file
        X = self.features.apply(table)
        v = np.empty((0, len(X)))
        if len(file["inducing_inputs"]):
            v = np.linalg.solve(file["whitener"], self.kernel(X, file["inducing_inputs"]).T)
        terms = self.terms(X)
        phi = np.vstack([v, terms])
        a, D = np.atleast_2d(file["posterior_mean"]), file["posterior_shrink"].reshape(-1, len(phi), len(phi))
        r = file["class_scale"] if "class_scale" in file else np.ones(1)
        mean = file["mean"] + r * (a @ phi).T
        prior = self.kernel.diagonal + (terms**2).sum(0)[:, None]
        return mean, r**2 * (prior - np.einsum("in,cij,jn->nc", phi, D, phi))

    def predict(self, table):
        """Probabilities, means and variances; a row with new gaps gets the mixture over its typical values."""
        if "projection" in self.file:
            table = table[:, self.file["projection_columns"].astype(int)] @ self.file["projection"]
        missing = np.isnan(table)
        new = np.zeros(len(table), bool)
        if "typical_values" in self.file:
            new = (missing & (self.file["column_gaps"] == 0)).any(1) | (missing.sum(1) > self.file["most_gaps"])
        functions = len(self.file["mean"])
        classes = len(self.file["thresholds"]) + 1 if "thresholds" in self.file else functions
        out = [np.empty((len(table), width)) for width in (classes, functions, functions)]
        for each, own in zip(out, self._directly(table[~new]), strict=True):
            each[~new] = own
        for i in np.flatnonzero(new):
            typical = self.file["typical_values"]
            p, mean, variance = self._directly(np.where(missing[i], typical, table[i]))
            for each, own in zip(out, (p.mean(0), mean.mean(0), variance.mean(0) + mean.var(0)), strict=True):
                each[i] = own
        return out

    def _directly(self, table):
        mean, variance = self.latent(table)
        likelihood = self.file.facts["likelihood"]
        own = (self.file["thresholds"],) if likelihood == "ordinal" else ()
        return PROBABILITIES[likelihood](mean, variance, *own), mean, variance


NODES = np.linspace(-9, 9, 361)
NORMAL = stats.norm.pdf(NODES) * (NODES[1] - NODES[0])


def _logistic(mean, variance):
    return special.expit(mean[..., None] + np.sqrt(variance)[..., None] * NODES) @ NORMAL


def _probit(mean, variance):
    return special.ndtr(mean / np.sqrt(1 + variance))


def _softmax(mean, variance):
    step = 0.25
    u = np.arange(-45, 45, step)
    p = np.empty_like(mean)
    for i, (m, s) in enumerate(zip(mean, np.sqrt(variance), strict=True)):
        e = np.exp(np.minimum(u[:, None, None] + m[:, None] + s[:, None] * NODES, 50))
        phi, slope = np.exp(-e) @ NORMAL, (e * np.exp(-e)) @ NORMAL  # slope = phi lambda
        others = [np.prod(np.delete(phi, c, axis=1), axis=1) for c in range(len(m))]
        p[i] = step * (slope * np.column_stack(others)).sum(0)
    return p


def _ordinal(mean, variance, thresholds):
    ends = np.concatenate([[-np.inf], thresholds, [np.inf]])
    f = (mean + np.sqrt(variance) * NODES)[..., None]  # rows x nodes x 1
    return np.einsum("nkc,k->nc", np.diff(special.expit(ends - f)), NORMAL)


PROBABILITIES = {"logistic": _logistic, "probit": _probit, "softmax": _softmax, "ordinal": _ordinal}
