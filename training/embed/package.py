"""Writes the package that WebLLM loads, and reads its weights as the browser uses them."""
from __future__ import annotations

import json
import shutil
from dataclasses import fields
from pathlib import Path

import torch
from tokenizers import Tokenizer

from export import parts, write_weights
from model import Shape
from weights import read_weights

from .encoder import CONTEXT_WINDOW, Encoder

GROUP = 64
#: Fields of chat models only: every token of an encoder attends to all others.
CHAT_ONLY = ("attention_window", "global_key_value_heads")


def write_package(model: Encoder, tokenizer: Path, folder: Path, bits: int) -> str:
    """Writes the package of a model. Returns the hash of the weights."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors, _ = parts(model.cpu(), bits, GROUP)
    digest = write_weights(tensors, folder)
    (folder / "mlc-chat-config.json").write_text(json.dumps(_config(model.shape, bits), indent=2) + "\n")
    if tokenizer.resolve() != (folder / "tokenizer.json").resolve():
        shutil.copyfile(tokenizer, folder / "tokenizer.json")
    return digest


def load_package(folder: Path) -> tuple[Encoder, Tokenizer]:
    config, weights = read_weights(folder)
    model = Encoder(Shape(**{field.name: config[field.name] for field in fields(Shape) if field.name not in CHAT_ONLY}))
    model.load_state_dict({name: torch.from_numpy(weights[name]) for name in model.state_dict()})
    return model.eval(), Tokenizer.from_file(str(folder / "tokenizer.json"))


def _config(shape: Shape, bits: int) -> dict[str, object]:
    return {
        "model_type": "encoder",
        "quantization": f"q{bits}f32",
        "model_config": {
            **{name: value for name, value in shape.as_dict().items() if name not in CHAT_ONLY},
            "context_window_size": CONTEXT_WINDOW,
            "prefill_chunk_size": CONTEXT_WINDOW,
            "weight_bits": bits,
            "weight_group_size": GROUP,
        },
        "vocab_size": shape.vocab_size,
        "context_window_size": CONTEXT_WINDOW,
        "sliding_window_size": -1,
        "attention_sink_size": -1,
        "prefill_chunk_size": CONTEXT_WINDOW,
        "tokenizer_files": ["tokenizer.json"],
        "tokenizer_info": {"token_postproc_method": "byte_level", "prepend_space_in_encode": False, "strip_space_in_decode": False},
    }
