"use strict"; // for the files that follow in the same script, too
// Probabilities from the normal distributions of the latent functions, as src/likelihood computes them.

const rootTwoPi = 0.39894228040143268; // 1 / sqrt(2 pi)

// Mills' ratio Phi(-z) / phi(z), z >= 0: src/likelihood/mills_ratio.hpp.
const millsCoefficients = [
  0.19280810471531576, -0.1667866595188989, 0.12415470615739103, -0.07859110755444265, 0.04136447157294455,
  -0.01732547341332258, 0.005212550248260094, -0.0007503282358809737, -0.00019999626770589952,
  0.00013658565999337814, -1.4882918529688417e-5, -1.247270507920554e-5, 4.180171633069977e-6,
  9.956429010606642e-7, -6.91798056161122e-7, -8.10888036367098e-8, 1.0573006226025632e-7,
  7.476919614349498e-9, -1.4573727205857553e-8, -5.922612865858991e-10, 1.2912874213654848e-9];

function millsRatio(z) {
  const rest = 10 / (z + 5), q = 1 - rest;
  let sum = 0;
  for (let i = millsCoefficients.length - 1; i >= 0; --i) sum = sum * q + millsCoefficients[i];
  return rest * sum;
}

const normalTail = (z) => rootTwoPi * Math.exp(-0.5 * z * z) * millsRatio(z); // Phi(-z), z >= 0

function normalCdf(x) {
  const smaller = normalTail(Math.abs(x));
  return x < 0 ? smaller : 1 - smaller;
}

// E sigma(f), f ~ N(m, S2): src/likelihood/logistic_predictive.cpp, whose letters these are.
const logistic = (() => {
  const h = 0.5, b = 8 / Math.PI;
  const g = Array.from({length: 152}, (_, j) => {
    const f = h * (j + 1);
    return normalTail(f / Math.sqrt(b)) - 1 / (1 + Math.exp(f));
  });
  function rest(mu, S2, offset) {
    let sum = 0;
    for (let j = 0; j < g.length; ++j) {
      const f = h * (j + 1), common = -(f * f * 0.5 / S2 + offset);
      sum += g[j] * (Math.exp(common + mu / S2 * f) - Math.exp(common - mu / S2 * f));
    }
    return h * rootTwoPi / Math.sqrt(S2) * sum;
  }
  function logCentral(m, S2) { // m >= -S2 / 2
    if (S2 <= 1) {
      const s = Math.sqrt(S2);
      let sum = 0;
      for (let j = -20; j <= 20; ++j) {
        const t = h * j;
        sum += h * rootTwoPi * Math.exp(-0.5 * t * t) / (1 + Math.exp(-(m + s * t)));
      }
      return Math.log(sum);
    }
    if (m > 800 + 40 * Math.sqrt(S2)) return 0;
    const mu = Math.abs(m), u = mu / Math.sqrt(S2 + b), exponent = 0.5 * mu * (mu / S2);
    if (m >= 0) return Math.log1p(-(normalTail(u) - rest(mu, S2, exponent)));
    const tail = rootTwoPi * Math.exp(exponent * (b / (S2 + b))) * millsRatio(u);
    return Math.log(tail - rest(mu, S2, 0)) - exponent;
  }
  const logLower = (m, S2) => // m <= 0
    m >= -0.5 * S2 ? logCentral(m, S2) : m + 0.5 * S2 + logCentral(-(m + S2), S2);
  return (m, S2) => {
    const smaller = Math.exp(logLower(-Math.abs(m), S2));
    return m < 0 ? smaller : 1 - smaller;
  };
})();

// E softmax(f), f_c ~ N(m_c, S2_c) independent, by the integral of src/likelihood/softmax.cpp:
//   p_c = int du lambda_c(u) prod_(k != c) phi_k(u),   phi_c(u) = E exp(-e^x),  lambda_c = E e^x exp(-e^x),  x = u + m_c + s_c eps.
// Both integrals are trapezoid rules whose errors are below 1e-14. In u the integrand is as smooth as exp(-e^u), and smoother if
// all s_c are large; in eps the step keeps clear of the nearest singularity of exp(-exp), at the distance pi / (2 s).
function softmax(m, S2) {
  const s = S2.map((v) => Math.sqrt(v)), C = m.length, top = Math.max(...m);
  const mean = m.map((v) => v - top);
  let left = Infinity, right = Infinity, precision = 0;
  for (let c = 0; c < C; ++c) {
    left = Math.min(left, Math.max(-36 - 8.5 * s[c], -36 - 0.5 * S2[c]) - mean[c]);
    right = Math.min(right, 3.8 + 8.5 * s[c] - mean[c]);
    precision += 1 / S2[c];
  }
  const h = Math.max(0.25, 0.75 / Math.sqrt(precision));
  const rules = s.map((sc) => {
    const step = Math.min(0.7, 0.33 / Math.max(sc, 1e-9)), count = Math.ceil(9 / step), nodes = [], weights = [];
    for (let i = -count; i <= count; ++i) {
      nodes.push(sc * step * i);
      weights.push(step * rootTwoPi * Math.exp(-0.5 * (step * i) ** 2));
    }
    const below = [0]; // sums of the weights on the left
    for (const w of weights) below.push(below[below.length - 1] + w);
    return {nodes, weights, below, gap: sc * step};
  });
  const p = new Array(C).fill(0), phi = new Array(C), lambda = new Array(C);
  for (let j = Math.floor(left / h); j <= Math.ceil(right / h); ++j) {
    for (let c = 0; c < C; ++c) {
      const rule = rules[c], a = j * h + mean[c], n = rule.nodes.length;
      // exp(-e^x) is 1 left of x = -38 and 0 right of x = 4.
      let first = 0, last = n;
      if (rule.gap > 0) {
        const middle = (n - 1) / 2;
        first = Math.min(n, Math.max(0, Math.ceil((-38 - a) / rule.gap + middle)));
        last = Math.min(n, Math.max(first, Math.floor((4 - a) / rule.gap + middle) + 1));
      }
      let value = rule.below[first], slope = 0;
      for (let i = first; i < last; ++i) {
        const e = Math.exp(a + rule.nodes[i]), w = rule.weights[i] * Math.exp(-e);
        value += w;
        slope += w * e;
      }
      phi[c] = value;
      lambda[c] = slope;
    }
    let product = 1;
    const after = new Array(C + 1).fill(1);
    for (let c = C - 1; c >= 0; --c) after[c] = after[c + 1] * phi[c];
    for (let c = 0; c < C; ++c) {
      p[c] += product * lambda[c] * after[c + 1];
      product *= phi[c];
    }
  }
  const sum = p.reduce((a, b) => a + b, 0);
  return p.map((v) => v / sum);
}

// Ordered classes: src/likelihood/ordinal_likelihood.cpp, b has the thresholds.
function ordinal([m], [S2], b) {
  let below = 0, above = 1;
  return [...b, Infinity].map((threshold) => {
    const next = threshold === Infinity ? [1, 0] : [logistic(threshold - m, S2), logistic(m - threshold, S2)];
    const p = Math.max(0, next[0] < above ? next[0] - below : above - next[1]);
    [below, above] = next;
    return p;
  });
}

// The probability of the second of two classes, or of all.
const likelihoods = {
  ordinal,
  logistic: (m, S2) => [logistic(m[0], S2[0])],
  probit: (m, S2) => [normalCdf(m[0] / Math.sqrt(1 + S2[0]))],
  softmax,
};
