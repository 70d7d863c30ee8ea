"""Muon: an optimizer that makes each momentum matrix nearly orthogonal before it applies it.

Pocket learns with it from about half the tokens that AdamW needs. It takes a few percent of a
step's time on two cores.
"""
from __future__ import annotations

import torch
from torch import Tensor, nn

from model import fast_type


def orthogonal(matrix: Tensor, rounds: int = 5) -> Tensor:
    """Returns a nearly orthogonal matrix, by the Newton-Schulz iteration."""
    x = matrix.to(fast_type(matrix.device))
    tall = x.shape[-2] > x.shape[-1]
    if tall:
        x = x.mT
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(rounds):
        square = x @ x.mT
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * (square @ square)) @ x
    return x.mT if tall else x


class Muon(torch.optim.Optimizer):
    """The optimizer of the weight matrices. ``parts`` splits stacked matrices (q|k|v, gate|up) into single ones.

    Matrices of the same shape are orthogonalized in one batch.
    """

    def __init__(self, matrices: list[tuple[nn.Parameter, list[int]]], lr: float, momentum: float = 0.95, decay: float = 0.02) -> None:
        self.parts = {id(parameter): rows for parameter, rows in matrices}
        super().__init__([parameter for parameter, _ in matrices], {"lr": lr, "momentum": momentum, "decay": decay})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            by_shape: dict[tuple[int, int], list[tuple[Tensor, Tensor]]] = {}
            for parameter in group["params"]:
                buffer = self.state[parameter].setdefault("momentum", torch.zeros_like(parameter))
                buffer.lerp_(parameter.grad, 1 - group["momentum"])
                update = parameter.grad.lerp(buffer, group["momentum"])
                parameter.mul_(1 - group["lr"] * group["decay"])
                rows = self.parts[id(parameter)]
                for target, piece in zip(parameter.split(rows), update.split(rows)):
                    by_shape.setdefault((piece.shape[0], piece.shape[1]), []).append((target, piece))
            for (rows, columns), pieces in by_shape.items():
                scale = max(1.0, rows / columns) ** 0.5
                steps = orthogonal(torch.stack([piece for _, piece in pieces])).float()
                for (target, _), change in zip(pieces, steps):
                    target.add_(change, alpha=-group["lr"] * scale)
