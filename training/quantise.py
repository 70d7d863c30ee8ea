"""Quantizes weights with one scale per group of neighbouring columns, and packs them into 32-bit words."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor


@dataclass
class Packed:
    """A quantized matrix. ``values`` are the integers; a weight is its value times the scale of its group."""

    values: np.ndarray
    scales: np.ndarray
    bits: int

    def words(self) -> np.ndarray:
        """Packs the values into uint32 words, lowest bits first: 8 bits as signed bytes, 4 bits as value + 8."""
        if self.bits == 8:
            return self.values.astype(np.int8).view(np.uint8).reshape(self.values.shape[0], -1).view("<u4")
        nibbles = (self.values + 8).astype(np.uint32).reshape(self.values.shape[0], -1, 8)
        return (nibbles << (4 * np.arange(8, dtype=np.uint32))).sum(-1, dtype=np.uint32)

    def dequantised(self) -> Tensor:
        rows, columns = self.values.shape
        grouped = self.values.reshape(rows, self.scales.shape[1], -1).astype(np.float32) * self.scales[:, :, None]
        return torch.from_numpy(grouped.reshape(rows, columns))


def quantise(matrix: Tensor, bits: int, group: int) -> Packed:
    rows, columns = matrix.shape
    most = 2 ** (bits - 1) - 1
    grouped = matrix.detach().float().numpy().reshape(rows, columns // group, group)
    scales = (np.abs(grouped).max(-1) / most).astype(np.float32)
    scales[scales == 0] = 1.0
    values = np.clip(np.rint(grouped / scales[:, :, None]), -most, most).astype(np.int32)
    return Packed(values.reshape(rows, columns), scales, bits)
