"""GPflow's SVGP: Adam for everything, or natural gradients for q(u) and Adam for the rest."""

from __future__ import annotations

import gpflow
import numpy as np
import tensorflow as tf
import tf_keras
from gpflow.optimizers import NaturalGradient

from bench.peers.course import Course, in_blocks
from bench.peers.problem import Problem


def build(problem: Problem) -> gpflow.models.SVGP:
    kernel = gpflow.kernels.SquaredExponential(lengthscales=problem.start)
    likelihood = gpflow.likelihoods.Bernoulli()  # probit, the default
    return gpflow.models.SVGP(kernel, likelihood, problem.Z.copy(), num_data=problem.n)


def batches(problem: Problem, batch: int, seed: int) -> tf.data.Iterator:
    data = (problem.X, problem.y[:, None].astype(np.float64))
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
) -> None:
    """`ramp`: initial gamma and the number of steps over which it grows geometrically to `gamma`."""
    tf.random.set_seed(seed)
    model = build(problem)
    loss = model.training_loss_closure(batches(problem, batch, seed), compile=False)
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
        return model.predict_y(X)[0][:, 0]

    def predict(X: np.ndarray) -> np.ndarray:
        return probability(tf.constant(X)).numpy()

    course.compile(step.get_concrete_function)
    course.compile(probability.get_concrete_function)
    for _ in range(iterations):
        if course.due():
            course.test(in_blocks(predict))
        if course.over():
            break
        step()
    course.test(in_blocks(predict))
