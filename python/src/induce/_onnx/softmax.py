"""p_c = E softmax_c(f) of C >= 3 classes from latent means m_c and deviations s_c: likelihood/softmax.cpp as a graph.

p_c = sum over nodes u_j = j h of exp(-sum_k H(u_j + m_k, s_k)) lambda_c(u_j), with lambda_c = dH/du(u + m_c, s_c),
then closed on the left by geometric series. H = e^(a/2) X(a, s) comes from a table (softmax_table.py): X is
interpolated by Lagrange's formula between 6 rows (s) and 14 columns (a).

All nodes are h = .375 apart, and so are columns. The library has coarser ones where s_c > 5 or all s_c > 2.5, so
there the two differ by its error, below 1e-9; elsewhere nodes, table and series are the same. The number of nodes
is that of the row that needs most.
"""

from __future__ import annotations

import numpy as np

from .graph import Graph, Value
from .softmax_table import COLUMNS, H_STEP, ROWS, SPLIT, Table, lagrange

CHUNK = 16  # nodes; the library takes whole chunks
UNIT = H_STEP * 4096  # means are counted from a multiple of this


def softmax(graph: Graph, mean: Value, variance: Value, largest: float) -> Value:
    """`largest`: of the deviations."""
    table = Table.up_to(min(largest * (1 + 1e-9), Table.LARGEST))
    flaw = (mean * 0.0 + variance * 0.0).sum(1, keep=True)  # NaN where the row has no prediction
    finite = flaw.equals(0.0)
    m, s = finite.where(mean, 0.0), finite.where(variance, 1.0).sqrt().at_most(table.largest)
    m = (m - graph("Round", m.max(1, keep=True) / UNIT) * UNIT).within(1e9)
    rows = _Rows(graph, table, s)
    span = _Span(graph, rows, m)
    H, rate = _at_nodes(graph, table, rows, span, m)
    p = _sum(graph, span, H, rate)
    return p / p.sum(1, keep=True) + flaw


class _Rows:
    """Where classes are in the rows of the table: indices of the first of six, their weights, and the ends of H."""

    def __init__(self, graph: Graph, table: Table, s: Value) -> None:
        near = s / (s * s * 0.1 + 1.0).sqrt() * table.rows_per_t + float(table.first_near)
        far = (s.at_least(SPLIT) / SPLIT).log() * table.rows_per_log + float(table.first_far)
        row = (s <= SPLIT).where(near, far)
        below = row.floor()
        f, i = row - below, below.integer()
        self.first = i - (ROWS // 2 - 1)
        self.weights = _powers(graph, f, ROWS) @ lagrange(ROWS)

        def end_of(H: np.ndarray) -> Value:
            ends = graph.value(H)
            low = ends.gather(i)
            return low + f * (ends.gather(i + np.array(1)) - low)

        self.right, self.right_of_four, self.left = (
            end_of(each) for each in (table.right, table.right_of_four, table.left)
        )


class _Span:
    """The nodes: j = end - count .. end - 1 of each row, and from which node on a class is looked up in the table."""

    def __init__(self, graph: Graph, rows: _Rows, m: Value) -> None:
        right = (rows.right - m).min(1, keep=True).at_most(_fourth(graph, rows.right_of_four - m))
        left = (rows.left - m).min(1, keep=True)
        lower = (left - (rows.left - m)).exp().sum(1, keep=True).log() * 0.75
        self.left = rows.left - lower  # of each class: farther left H is a geometric series
        self.end = (right / H_STEP).ceil() + 1.0
        self.count = _whole_chunks(self.end - ((left - lower) / H_STEP).floor())
        self.most = self.count.max(0).squeeze(0).integer()
        # Nodes from the left one of the row that has most.
        number = graph("Range", np.array(0), self.most, np.array(1)).double()
        self.nodes = number - self.most.double() + self.end  # rows x nodes
        self.used = number >= self.most.double() - self.count
        wanted = self.end - ((self.left - m) / H_STEP).ceil()
        self.start = self.end - _whole_chunks(wanted).at_least(0.0)


def _fourth(graph: Graph, values: Value) -> Value:
    """The fourth smallest of each row; infinite if there are three."""
    padded = graph("Pad", values, np.array([0, 0, 0, 1]), np.inf)
    node = graph("TopK", padded, np.array([4]), axis=1, largest=0)
    graph.nodes[-1].output.append(node.name + "i")
    return node.columns([3])


def _whole_chunks(count: Value) -> Value:
    return (count / float(CHUNK)).ceil() * float(CHUNK)


def _powers(graph: Graph, f: Value, count: int) -> Value:
    return graph("Pow", f.unsqueeze(2), np.arange(float(count)))


def _at_nodes(graph: Graph, table: Table, rows: _Rows, span: _Span, m: Value) -> tuple[Value, Value]:
    """H and lambda, rows x classes x nodes."""
    x = m / H_STEP
    column = x.floor()
    powers = _powers(graph, x - column, COLUMNS)
    coefficients = lagrange(COLUMNS)
    slopes = np.zeros_like(coefficients)
    slopes[:-1] = coefficients[1:] * np.arange(1.0, COLUMNS)[:, None]
    weights = powers @ coefficients
    # of X/2 + X_a
    slope_weights = powers @ (slopes / H_STEP + 0.5 * coefficients)

    # Columns of the window: those of the nodes, and 13 more.
    reach = graph("Range", np.array(0), span.most + np.array(COLUMNS - 1), np.array(1)).double()
    first = span.end - span.most.double() + column - float(COLUMNS // 2 - 1 + table.first_column)
    columns = _clipped(first.unsqueeze(2) + reach, table.columns).integer()
    X = _rows_combined(graph, table, rows, columns)

    value = slope = None
    for k in range(COLUMNS):
        end = np.array([k - COLUMNS + 1 if k < COLUMNS - 1 else 2**62])
        part = X.slice(np.array([k]), end, 2)
        weight, of_slope = (each.slice(np.array([k]), np.array([k + 1]), 2) for each in (weights, slope_weights))
        value = part * weight if value is None else value + part * weight
        slope = part * of_slope if slope is None else slope + part * of_slope
    assert value is not None
    assert slope is not None
    a = span.nodes.unsqueeze(1) * H_STEP + m.unsqueeze(2)
    growth = (a * 0.5).exp()
    return _with_series(graph, table, rows, span, m, growth * value, growth * slope)


def _clipped(columns: Value, count: int) -> Value:
    return columns.at_least(0.0).at_most(float(count - 1))


def _rows_combined(graph: Graph, table: Table, rows: _Rows, columns: Value) -> Value:
    """X at these columns, for the s of each class."""
    flat = graph.value(table.X.reshape(-1))
    total = None
    for r in range(ROWS):
        start = (rows.first + np.array(r)) * np.array(table.columns)
        weight = rows.weights.slice(np.array([r]), np.array([r + 1]), 2)
        part = flat.gather(start.unsqueeze(2) + columns) * weight
        total = part if total is None else total + part
    assert total is not None
    return total


def _with_series(
    graph: Graph, table: Table, rows: _Rows, span: _Span, m: Value, H: Value, rate: Value
) -> tuple[Value, Value]:
    """Left of its start a class is a geometric series through the two nodes there. A class that starts nowhere is a
    line of log H through two columns."""
    some = span.start < span.end  # rows x classes
    at = (span.start - span.end + span.most.double()).integer().unsqueeze(2)
    place = some.unsqueeze(2).where(at, span.most - np.array(2))
    H_at, H_next, rate_at = (
        H.pick(place, 2).squeeze(2),
        H.pick(place + np.array(1), 2).squeeze(2),
        rate.pick(place, 2).squeeze(2),
    )
    column = (span.left / H_STEP).floor().at_least(float(table.first_column))
    pair = (column - float(table.first_column)).integer().unsqueeze(2) + np.array([0, 1])
    eta = _rows_combined(graph, table, rows, pair).log() + (column.unsqueeze(2) + np.array([0.0, 1.0])) * (
        0.5 * H_STEP
    )
    eta_0, eta_1 = (eta.slice(np.array([k]), np.array([k + 1]), 2).squeeze(2) for k in (0, 1))
    line = (eta_1 - eta_0) / H_STEP

    slope = some.where((H_next / H_at).log() / H_STEP, line)
    a = some.where(span.start * H_STEP + m, span.end * H_STEP + m)
    log_H = some.where(H_at.log(), eta_0 + line * (a - column * H_STEP))
    per_H = some.where(rate_at / H_at, line)
    distance = span.nodes.unsqueeze(1) * H_STEP + m.unsqueeze(2) - a.unsqueeze(2)
    series = (log_H.unsqueeze(2) + slope.unsqueeze(2) * distance).at_most(600.0).exp()
    in_table = some.unsqueeze(2) & (distance >= -1e-9)
    return in_table.where(H, series), in_table.where(rate, series * per_H.unsqueeze(2))


def _sum(graph: Graph, span: _Span, H: Value, rate: Value) -> Value:
    S = H.sum(1)
    Pi = span.used.where((-S).exp(), 0.0)
    p = (Pi.unsqueeze(1) * rate).sum(2)
    first = (span.most.double() - span.count).integer()  # rows x 1
    S_0, S_1 = S.pick(first, 1), S.pick(first + np.array(1), 1)
    places = graph("Expand", first.unsqueeze(2), graph("Shape", p.unsqueeze(2)))
    H_0, H_1, rate_0 = (
        each.squeeze(2) for each in (H.pick(places, 2), H.pick(places + np.array(1), 2), rate.pick(places, 2))
    )
    q, q_c = S_0 / S_1, H_0 / H_1
    return p + rate_0 * (_geometric(q_c) - S_0 * _geometric(q_c * q))


def _geometric(q: Value) -> Value:
    return q / (1.0 - q)
