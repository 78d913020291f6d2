"""GPyTorch's SVGP: Adam for everything, or natural gradients for q(u) and Adam for the rest."""

from __future__ import annotations

from collections.abc import Callable

import gpytorch
import numpy as np
import torch
from gpytorch.models import ApproximateGP
from gpytorch.variational import CholeskyVariationalDistribution, NaturalVariationalDistribution, VariationalStrategy
from torch.utils.data import DataLoader, TensorDataset

from bench.peers.course import Course, in_blocks
from bench.peers.problem import Problem


class Model(ApproximateGP):
    def __init__(self, problem: Problem, natural: bool) -> None:
        kind = NaturalVariationalDistribution if natural else CholeskyVariationalDistribution
        Z = torch.tensor(problem.Z, dtype=torch.float32)
        super().__init__(VariationalStrategy(self, Z, kind(problem.m), learn_inducing_locations=True))
        self.mean_module = gpytorch.means.ConstantMean()
        base = gpytorch.kernels.RBFKernel(ard_num_dims=problem.d)
        base.lengthscale = torch.tensor(problem.start, dtype=torch.float32)
        self.covar_module = gpytorch.kernels.ScaleKernel(base)

    def forward(self, x: torch.Tensor) -> gpytorch.distributions.MultivariateNormal:
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


def optimizers(model: Model, likelihood: torch.nn.Module, n: int, natural: float | None, adam: float) -> list:
    if natural is None:
        return [torch.optim.Adam([*model.parameters(), *likelihood.parameters()], lr=adam)]
    return [
        gpytorch.optim.NGD(model.variational_parameters(), num_data=n, lr=natural),
        torch.optim.Adam([*model.hyperparameters(), *likelihood.parameters()], lr=adam),
    ]


def train(
    problem: Problem, course: Course, *, seed: int, natural: float | None, adam: float, batch: int
) -> None:  # fmt: skip
    torch.manual_seed(seed)
    model = Model(problem, natural is not None)
    likelihood = gpytorch.likelihoods.BernoulliLikelihood()  # probit, the only option
    rules = optimizers(model, likelihood, problem.n, natural, adam)
    learn(problem, course, model, likelihood, rules, batch, torch.float32, lambda found: found.mean)


def learn(
    problem: Problem,
    course: Course,
    model: ApproximateGP,
    likelihood: gpytorch.likelihoods.Likelihood,
    rules: list,
    batch: int,
    labels: torch.dtype,
    probabilities: Callable[[torch.distributions.Distribution], torch.Tensor],
) -> None:
    """Minibatches until the budget ends. `probabilities` are those of the classes under the likelihood's output."""
    X, y = torch.tensor(problem.X, dtype=torch.float32), torch.tensor(problem.y, dtype=labels)
    objective = gpytorch.mlls.VariationalELBO(likelihood, model, num_data=problem.n)
    loader = DataLoader(TensorDataset(X, y), batch_size=batch, shuffle=True)

    def predict(rows: np.ndarray) -> np.ndarray:
        model.eval()
        with torch.no_grad():
            p = probabilities(likelihood(model(torch.tensor(rows, dtype=torch.float32)))).numpy()
        model.train()
        return p

    model.train()
    while not course.over():
        for x_batch, y_batch in loader:
            if course.due():
                course.test(in_blocks(predict))
            if course.over():
                break
            for rule in rules:
                rule.zero_grad()
            loss = -objective(model(x_batch), y_batch)
            loss.backward()
            for rule in rules:
                rule.step()
    course.test(in_blocks(predict))
