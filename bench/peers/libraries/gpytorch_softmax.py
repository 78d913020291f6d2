"""GPyTorch's SVGP for three or more classes: a latent function for each, its softmax likelihood (sampled) and Adam.

Kernel, mean and inducing inputs have the batch shape of the classes, as in its documentation of several outputs.
"""

from __future__ import annotations

import gpytorch
import torch
from gpytorch.models import ApproximateGP
from gpytorch.variational import (
    CholeskyVariationalDistribution,
    IndependentMultitaskVariationalStrategy,
    VariationalStrategy,
)

from bench.peers.course import Course
from bench.peers.libraries.gpytorch_svgp import learn, optimizers
from bench.peers.problem import Problem

TEST_SAMPLES = 500  # while the clock is stopped; training uses the default of 10


class Model(ApproximateGP):
    def __init__(self, problem: Problem) -> None:
        shape = torch.Size([problem.classes])
        Z = torch.tensor(problem.Z, dtype=torch.float32).repeat(problem.classes, 1, 1)
        q = CholeskyVariationalDistribution(problem.m, batch_shape=shape)
        each = VariationalStrategy(self, Z, q, learn_inducing_locations=True)
        super().__init__(IndependentMultitaskVariationalStrategy(each, num_tasks=problem.classes))
        self.mean_module = gpytorch.means.ConstantMean(batch_shape=shape)
        base = gpytorch.kernels.RBFKernel(ard_num_dims=problem.d, batch_shape=shape)
        base.lengthscale = torch.tensor(problem.start, dtype=torch.float32)
        self.covar_module = gpytorch.kernels.ScaleKernel(base, batch_shape=shape)

    def forward(self, x: torch.Tensor) -> gpytorch.distributions.MultivariateNormal:
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


class Softmax(gpytorch.likelihoods.SoftmaxLikelihood):
    """With more samples for predictions than for training."""

    def marginal(self, *args: object, **kwargs: object) -> torch.distributions.Categorical:
        with gpytorch.settings.num_likelihood_samples(TEST_SAMPLES):
            return super().marginal(*args, **kwargs)


def train(problem: Problem, course: Course, *, seed: int, adam: float, batch: int) -> None:
    torch.manual_seed(seed)
    model = Model(problem)
    likelihood = Softmax(num_classes=problem.classes, mixing_weights=False)
    rules = optimizers(model, likelihood, problem.n, None, adam)
    learn(problem, course, model, likelihood, rules, batch, torch.int64, lambda found: found.probs.mean(0))
