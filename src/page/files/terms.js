// The terms of a latent function: src/page/portable_terms.hpp, in the same letters.

function sizeOf(axes) {
  return axes.reduce((size, axis) => size * axis.size, 1);
}

// A whole number at an entry of the axis, between two for a number between knots.
function positionOf({first, count, value, knots}, x) {
  let level = 0;
  for (let f = first; f < first + count; ++f) {
    if (f === value) continue;
    if (x[f] > 0.5) return level;
    ++level;
  }
  if (knots.length === 0) return 0;
  let above = 0;
  while (above < knots.length && knots[above] <= x[value]) ++above;
  if (above === 0) return level;
  if (above === knots.length) return level + knots.length - 1;
  return level + above - 1 + (x[value] - knots[above - 1]) / (knots[above] - knots[above - 1]);
}

// The entries of h_p that may not be 0.
function sharesOf(axes, x) {
  let all = [{entry: 0, share: 1}];
  for (const axis of axes) {
    const position = positionOf(axis, x), k = Math.min(Math.floor(position), axis.size - 2), right = position - k;
    all = all.flatMap(({entry, share}) => [{entry: entry * axis.size + k, share: share * (1 - right)},
      {entry: entry * axis.size + k + 1, share: share * right}]);
  }
  return all;
}

class TermTables {
  constructor(terms, {beta, coordinates, step, explained}, reader, unit) {
    reader.left = 0; // each function begins with a digit
    const vector = (count) => reader.multiples(count, reader.whole(7), unit());
    let value = 0;
    this.terms = terms.map((axes, p) => {
      const size = sizeOf(axes), n = axes[axes.length - 1].size;
      const offsets = axes.length === 1 ? [0, 1] : [0, 1, n - 1, n, n + 1];
      const bands = offsets.map(() => vector(size));
      const U = Array.from({length: coordinates[p]}, () => vector(size));
      value += size;
      return {offsets, bands, U, beta: beta.subarray(value - size, value)};
    });
    // N: of each coordinate, with those of the joint term and of earlier terms, which begin at starts.
    const starts = [0];
    this.coordinates = explained.length;
    for (const term of this.terms) {
      term.first = this.coordinates;
      term.N = term.U.map(() => {
        const row = new Float64Array(term.first);
        for (const start of starts) {
          const bits = reader.whole(7);
          if (bits > 0) row.set(reader.multiples(reader.whole(17), bits, step), start);
        }
        return row;
      });
      starts.push(term.first);
      this.coordinates += term.U.length;
    }
  }

  mean(shares) {
    return this.terms.reduce((sum, {beta}, p) =>
      shares[p].reduce((own, {entry, share}) => own + share * beta[entry], sum), 0);
  }

  // 2 k'Y h + h'S h
  variance(shares, c0) {
    const c = new Float64Array(this.coordinates);
    c.set(c0);
    let sum = 0;
    this.terms.forEach(({offsets, bands, U, N, first}, p) => {
      shares[p].forEach((b, j) => shares[p].slice(0, j + 1).forEach((a, i) => {
        const band = bands[offsets.indexOf(b.entry - a.entry)];
        sum += (i < j ? 2 : 1) * a.share * b.share * band[a.entry];
      }));
      U.forEach((column, i) => {
        const own = shares[p].reduce((of, {entry, share}) => of + share * column[entry], 0), row = N[i];
        let dot = 0;
        for (let j = 0; j < first; ++j) dot += row[j] * c[j];
        c[first + i] = own;
        sum += 2 * own * dot;
      });
    });
    return sum;
  }
}
