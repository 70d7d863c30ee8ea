"""Loads the network of a published package."""
from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import torch

from model import Pocket, Shape
from weights import read_weights


def load_package(folder: Path) -> Pocket:
    config, weights = read_weights(folder)
    model = Pocket(Shape(**{field.name: config[field.name] for field in fields(Shape) if field.name in config}))
    model.load_state_dict({name: torch.from_numpy(weights[name]) for name in model.state_dict()})
    return model.eval()
