// The model: from a row of the table to the distribution of the latent functions and the probabilities. It does what
// Model::predict does, from the same numbers (src/page/portable.hpp).

// Reads src/page/packed_numbers.hpp: big-endian doubles in base 64, or whole multiples of a unit in the bits of its digits.
class Reader {
  constructor(text, doubles) {
    this.text = doubles ? atob(text) : text;
    this.at = this.left = 0;
    this.view = new DataView(new ArrayBuffer(8));
    this.digit = new Uint8Array(128);
    for (let k = 0; k < 64; ++k)
      this.digit["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".charCodeAt(k)] = k;
  }
  doubles(count) {
    return Float64Array.from({length: count}, () => {
      for (let b = 0; b < 8; ++b) this.view.setUint8(b, this.text.charCodeAt(this.at++));
      return this.view.getFloat64(0);
    });
  }
  whole(bits) {
    let value = 0;
    for (let missing = bits; missing > 0;) {
      if (this.left === 0) [this.last, this.left] = [this.digit[this.text.charCodeAt(this.at++)], 6];
      const taken = Math.min(missing, this.left);
      missing -= taken;
      this.left -= taken;
      value = value * (1 << taken) + ((this.last >> this.left) & ((1 << taken) - 1));
    }
    return value - (2 ** (bits - 1) - 1);
  }
  multiples(count, bits, unit) {
    const out = new Float64Array(count);
    for (let i = 0; i < count; ++i) out[i] = this.whole(bits) * unit;
    return out;
  }
}

// 2^(1-nu)/Gamma(nu) z^nu K_nu(z), from K_nu(z) = int_0^inf exp(-z cosh t) cosh(nu t) dt by the trapezoid rule.
function maternOf(nu) {
  const lanczos = [0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
    -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7];
  function logGamma(x) {
    if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x);
    let sum = lanczos[0];
    for (let i = 1; i < 9; ++i) sum += lanczos[i] / (x - 1 + i);
    const t = x + 6.5;
    return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
  }
  const constant = (1 - nu) * Math.LN2 - logGamma(nu);
  return (r2) => {
    const z = Math.sqrt(2 * nu * r2);
    if (z > 700) return 0;
    if (z < 1e-8 * (1 + nu)) {
      if (nu >= 1 || z === 0) return 1;
      return 1 - Math.exp(logGamma(1 - nu) - logGamma(1 + nu)) * (z / 2) ** (2 * nu);
    }
    const h = Math.min(0.2, 0.6 / Math.sqrt(z)), power = constant + nu * Math.log(z);
    let sum = 0;
    for (let i = 0; ; ++i) {
      const t = h * i, e = Math.exp(-t);
      // log(e^(-z cosh t) cosh(nu t))
      const log = power - z * 0.5 * (1 / e + e) + nu * t + Math.log1p(Math.exp(-2 * nu * t)) - Math.LN2;
      const term = Math.exp(log);
      sum += i === 0 ? term / 2 : term;
      if (term < 1e-18 * sum && z * Math.sinh(t) > nu) return h * sum;
    }
  };
}

// rho(r^2) of a kernel term.
function shapeOf(name) {
  if (name === "se") return (r2) => Math.exp(-0.5 * r2);
  const nu = name.startsWith("matern:") ? Number(name.slice(7)) : Number(name[6]) / 2; // matern52: 5/2
  if (nu === 0.5) return (r2) => Math.exp(-Math.sqrt(r2));
  if (nu === 1.5) return (r2) => { const z = Math.sqrt(3 * r2); return (1 + z) * Math.exp(-z); };
  if (nu === 2.5) return (r2) => { const z = Math.sqrt(5 * r2); return (1 + z + z * z / 3) * Math.exp(-z); };
  return maternOf(nu);
}

function squaredNorm(vector) {
  return vector.reduce((sum, each) => sum + each * each, 0);
}

function yeoJohnson(x, exponent) {
  const power = (l, p) => (p === 0 ? l : Math.expm1(p * l) / p);
  return x < 0 ? -power(Math.log1p(-x), 2 - exponent) : power(Math.log1p(x), exponent);
}

class Model {
  constructor(spec) {
    this.spec = spec;
    const {m, d} = spec, whole = spec.widths[0] > 0;
    const exact = new Reader(spec.exact, true), large = new Reader(spec.large, !whole);
    const take = (count) => exact.doubles(count);
    this.shift = take(d);
    this.scale = take(d);
    if (spec.warped) [this.origin, this.unit, this.exponent] = [take(d), take(d), take(d)];
    this.typical = take(spec.draws * spec.columns.length); // column after column
    this.repeated = spec.columns.map((column) => take(column.repeated || 0));
    const values = spec.terms.reduce((sum, axes) => sum + sizeOf(axes), 0);
    this.functions = spec.functions.map((of) =>
      ({mean: take(1)[0], scale: take(1)[0], alpha: take(m), beta: take(values), ...of}));
    const lengths = spec.summands.map((term) => take(term.lengths || 0));
    this.terms = spec.terms.map((axes) => axes.map((axis) => ({...axis, knots: take(axis.knots)})));
    const vector = (count, digits) => (whole ? large.multiples(count, 6 * digits, take(1)[0]) : large.doubles(count));
    const Z = Array.from({length: d}, () => vector(m, spec.widths[0]));
    for (const of of this.functions)
      for (const part of ["explained", "added"])
        of[part] = Array.from({length: of[part]}, (_, i) => vector(spec.variance_inputs - i, spec.widths[1]));
    const tables = new Reader(spec.tables, false);
    if (this.terms.length > 0)
      for (const of of this.functions) of.tables = new TermTables(this.terms, of, tables, () => take(1)[0]);
    this.diagonal = 0;
    this.summands = [];
    spec.summands.forEach((term, t) => {
      this.diagonal += term.variance;
      if (!term.shape) return;
      const features = term.features || Z.map((_, f) => f);
      const inverse = (i) => lengths[t][lengths[t].length === 1 ? 0 : i];
      this.summands.push({rho: shapeOf(term.shape), variance: term.variance,
        parts: features.map((f, i) => ({f, inverse: inverse(i), z: Z[f].map((v) => v * inverse(i))}))});
    });
  }

  // The features of a row without new gaps, in the model's units.
  features(row) {
    const {spec} = this, x = new Float64Array(spec.d);
    spec.columns.forEach((column, c) => {
      const value = row[c];
      if (column.value >= 0) {
        x[column.value] = value;
        if (Number.isNaN(value)) {
          if (column.missing >= 0) x[column.missing] = 1;
        } else {
          const k = this.repeated[c].indexOf(value);
          if (k >= 0) x[column.first + k] = 1;
        }
        return;
      }
      const k = Number.isNaN(value) ? -1 : column.levels.indexOf(value);
      x[Number.isNaN(value) && column.missing >= 0 ? column.missing : k >= 0 ? column.first + k : column.other] = 1;
    });
    for (let f = 0; f < spec.d; ++f) {
      if (spec.warped && this.exponent[f] !== 1) {
        const scaled = (x[f] - this.origin[f]) / this.unit[f];
        x[f] = yeoJohnson(Math.min(1e30, Math.max(-1e30, scaled)), this.exponent[f]);
      }
      x[f] = (x[f] - this.shift[f]) / this.scale[f];
      if (!spec.plain && Number.isNaN(x[f])) x[f] = 0;
    }
    return x;
  }

  // Mean and variance of the latent functions at these features.
  latent(x) {
    const m = this.spec.m, k = new Float64Array(m), r2 = new Float64Array(m);
    for (const {rho, variance, parts} of this.summands) {
      r2.fill(0);
      for (const {f, inverse, z} of parts) {
        const scaled = Math.min(1e100, Math.max(-1e100, x[f] * inverse));
        for (let j = 0; j < m; ++j) r2[j] += (scaled - z[j]) * (scaled - z[j]);
      }
      for (let j = 0; j < m; ++j) k[j] += variance * rho(r2[j]);
    }
    const product = (rows) => Float64Array.from(rows, (entries, i) => {
      let sum = 0;
      for (let j = 0; j < entries.length; ++j) sum += entries[j] * k[i + j];
      return sum;
    });
    const mean = [], variance = [], shares = this.terms.map((axes) => sharesOf(axes, x));
    for (const of of this.functions) {
      const c0 = product(of.explained);
      let dot = 0;
      for (let j = 0; j < m; ++j) dot += k[j] * of.alpha[j];
      let rest = this.diagonal - squaredNorm(c0) + squaredNorm(product(of.added));
      if (of.tables) {
        dot += of.tables.mean(shares);
        rest += of.tables.variance(shares, c0);
      }
      mean.push(of.mean + of.scale * dot);
      variance.push(of.scale ** 2 * Math.max(rest, 0));
    }
    return {mean, variance};
  }

  hasNewGaps(row) {
    let missing = 0;
    return row.some((value, c) => Number.isNaN(value) &&
      (!this.spec.columns[c].gaps || ++missing > this.spec.most_gaps));
  }

  // A row of the table: one number per column (include/induce/columns.hpp), NaN: missing.
  // {probability, mean, variance}, each a list: of the second of two classes, or of all.
  predict(row) {
    const {draws, likelihood} = this.spec;
    const once = (values) => {
      const {mean, variance} = this.latent(this.features(values));
      return {probability: likelihoods[likelihood](mean, variance, this.spec.thresholds), mean, variance};
    };
    if (draws === 0 || !this.hasNewGaps(row)) return once(row);
    const each = Array.from({length: draws}, (_, k) =>
      once(row.map((value, c) => (Number.isNaN(value) ? this.typical[c * draws + k] : value))));
    const average = (of, like = each[0].mean) => like.map((_, c) => each.reduce((sum, one) => sum + of(one, c), 0) / draws);
    const mean = average((one, c) => one.mean[c]), square = average((one, c) => one.mean[c] ** 2);
    const within = average((one, c) => one.variance[c]);
    return {probability: average((one, c) => one.probability[c], each[0].probability), mean,
      variance: within.map((v, c) => v + Math.max(0, square[c] - mean[c] ** 2))};
  }
}
