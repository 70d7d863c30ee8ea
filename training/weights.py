"""Reads the weights of a published package as the browser uses them. Needs NumPy only."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np


def read_weights(folder: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Returns the package's `model_config`, and its float32 weights by the names of ``model.py``."""
    config = json.loads((folder / "mlc-chat-config.json").read_text())["model_config"]
    tensors: dict[str, np.ndarray] = {}
    for shard in json.loads((folder / "tensor-cache.json").read_text())["records"]:
        data = (folder / shard["dataPath"]).read_bytes()
        for record in shard["records"]:
            raw = data[record["byteOffset"] : record["byteOffset"] + record["nbytes"]]
            dtype = "<u4" if record["dtype"] == "uint32" else "<f4"
            tensors[record["name"]] = np.frombuffer(raw, dtype=dtype).reshape(record["shape"]).copy()
    names = dict.fromkeys(name.removesuffix(".q").removesuffix(".scale") for name in tensors)
    return config, {name: _weight(name, tensors, config["weight_bits"]) for name in names}


def _weight(name: str, tensors: dict[str, np.ndarray], bits: int) -> np.ndarray:
    if name in tensors:
        return tensors[name]
    words = tensors[f"{name}.q"]
    if bits == 32:
        return words.view("<f4")
    rows = words.shape[0]
    if bits == 8:
        values = words.view(np.int8).astype(np.float32)
    else:
        values = ((words[:, :, None] >> (4 * np.arange(8, dtype=np.uint32))) & 15).reshape(rows, -1).astype(np.float32) - 8
    scales = tensors[f"{name}.scale"]
    return (values.reshape(rows, scales.shape[1], -1) * scales[:, :, None]).reshape(rows, -1)
