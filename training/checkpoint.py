"""Saves and resumes a training run."""
from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor

from model import Pocket


@dataclass
class Progress:
    step: int = 0
    seen: int = 0
    spent: float = 0.0
    began: float = field(default_factory=time.time)

    def seconds(self) -> float:
        return self.spent + time.time() - self.began


def restore(folder: Path, model: Pocket, average: dict[str, Tensor], optimizers: tuple[torch.optim.Optimizer, ...]) -> Progress:
    """Loads the model, the averaged weights and the optimizers from the folder's checkpoint, if there is one."""
    path = folder / "checkpoint.pt"
    if not path.exists():
        return Progress()
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["model"])
    for name, value in state["average"].items():
        average[name].copy_(value)
    for optimizer, kept in zip(optimizers, state["optimizers"]):
        optimizer.load_state_dict(kept)
    return Progress(state["step"], state["seen"], state["seconds"])


def save(folder: Path, model: Pocket, average: dict[str, Tensor], optimizers: tuple[torch.optim.Optimizer, ...], progress: Progress) -> None:
    state = {"model": model.state_dict(), "average": average, "optimizers": [o.state_dict() for o in optimizers], "step": progress.step,
             "seen": progress.seen, "seconds": progress.seconds(), "shape": model.shape.as_dict()}
    torch.save(state, folder / "next.pt")
    (folder / "next.pt").replace(folder / "checkpoint.pt")
