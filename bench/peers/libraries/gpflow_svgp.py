"""GPflow's SVGP: Adam for everything, or natural gradients for q(u) and Adam for the rest."""

from __future__ import annotations

import gpflow
import numpy as np
import tensorflow as tf
import tf_keras
from gpflow.optimizers import NaturalGradient

from bench.peers.course import Course, in_blocks
from bench.peers.problem import Problem

MANY = {
    "softmax": gpflow.likelihoods.Softmax,  # its expectation is sampled: 100 samples by default
    "robustmax": gpflow.likelihoods.MultiClass,  # RobustMax is its default
}
TEST_SAMPLES = 1000  # while the clock is stopped


def build(problem: Problem, many: str | None) -> gpflow.models.SVGP:
    """`many`: the likelihood for three or more classes, with one latent function for each and a shared kernel."""
    kernel = gpflow.kernels.SquaredExponential(lengthscales=problem.start)
    likelihood = MANY[many](problem.classes) if many else gpflow.likelihoods.Bernoulli()  # probit, the default
    functions = problem.classes if many else 1
    return gpflow.models.SVGP(kernel, likelihood, problem.Z.copy(), num_data=problem.n, num_latent_gps=functions)


def batches(problem: Problem, batch: int, seed: int, labels: type) -> tf.data.Iterator:
    data = (problem.X, problem.y[:, None].astype(labels))
    return iter(tf.data.Dataset.from_tensor_slices(data).repeat().shuffle(problem.n, seed=seed).batch(batch))


def train(
    problem: Problem,
    course: Course,
    *,
    seed: int,
    gamma: float | None,
    adam: float,
    batch: int,
    iterations: int,
    ramp: tuple[float, int] | None = None,
    many: str | None = None,
) -> None:
    """`ramp`: initial gamma and the number of steps over which it grows geometrically to `gamma`."""
    tf.random.set_seed(seed)
    model = build(problem, many)
    loss = model.training_loss_closure(batches(problem, batch, seed, np.int64 if many else np.float64), compile=False)
    variational = [(model.q_mu, model.q_sqrt)]
    if gamma is not None:  # Adam must leave q(u) alone
        gpflow.set_trainable(model.q_mu, False)
        gpflow.set_trainable(model.q_sqrt, False)
    adam_rule = tf_keras.optimizers.legacy.Adam(adam)
    first, steps = ramp or (gamma or 0.0, 1)
    now = tf.Variable(first, dtype=tf.float64, trainable=False)
    natural_rule = NaturalGradient(now) if gamma is not None else None
    growth = (gamma / first) ** (1 / steps) if gamma is not None else 1.0

    @tf.function
    def step() -> None:
        adam_rule.minimize(loss, model.trainable_variables)
        if natural_rule is not None:
            natural_rule.minimize(loss, variational)
            now.assign(tf.minimum(now * growth, tf.constant(gamma, tf.float64)))

    @tf.function(input_signature=[tf.TensorSpec((None, problem.d), tf.float64)])
    def probability(X: tf.Tensor) -> tf.Tensor:
        return model.predict_y(X)[0]

    def predict(X: np.ndarray) -> np.ndarray:
        return probability(tf.constant(X)).numpy()

    course.compile(step.get_concrete_function)
    if many == "softmax":  # after the trace of the step, which keeps the default
        model.likelihood.num_monte_carlo_points = TEST_SAMPLES
    course.compile(probability.get_concrete_function)
    for _ in range(iterations):
        if course.due():
            course.test(in_blocks(predict))
        if course.over():
            break
        step()
    course.test(in_blocks(predict))
