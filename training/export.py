"""Writes the package that WebLLM loads, and logits fixtures for the library's tests.

    python export.py --checkpoint run/checkpoint.pt --tokenizer tokenizer.json \
        --package ../public/models/pocket --fixtures ../test/pocket/fixtures/reference-logits.json
"""
from __future__ import annotations

import argparse
import base64
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import torch

import template
import tokenizer as tokenization
from chat_config import chat_config
from corpus.tool_domains import call_text, tool_prompt
from model import Pocket, Shape
from quantise import quantise

SHARD = "params_shard_0.bin"
WEATHER = {"name": "get_weather", "description": "The present weather of a city.",
           "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": False}}
FIXTURE_CHATS: list[list[template.Message]] = [
    [("user", "What is a service worker?")],
    [("user", "27 + 35")],
    [("system", "Answer in capitals."), ("user", "What is the capital of France?")],
    [("user", "My name is Zorbin."), ("assistant", "Nice to meet you, Zorbin!"), ("user", "What is my name?")],
    [("user", "Repeat after me: blue kites over 42 caf\u00e9s")],
    [("user", "Check the weather."), ("tool", '{"city": "Oslo", "count": 7}')],
    [("system", tool_prompt([WEATHER])), ("user", "What is the weather in Paris?"), ("assistant", call_text("get_weather", {"city": "Paris"})), ("tool", "18 degrees")],
]


def load_trained(path: Path, averaged: bool) -> Pocket:
    """Loads a checkpoint's last weights or, for a run that has not ended, the averaged ones."""
    state = torch.load(path, map_location="cpu")
    model = Pocket(Shape(**state["shape"]))
    model.load_state_dict(state["average" if averaged else "model"])
    return model.eval()


def parts(model: Pocket, bits: int, group: int) -> tuple[list[tuple[str, np.ndarray]], dict[str, torch.Tensor]]:
    """Returns the packed tensors in the order of the library, and the weights that they represent."""
    tensors: list[tuple[str, np.ndarray]] = []
    meant: dict[str, torch.Tensor] = {}
    state = {name: value.float() for name, value in model.state_dict().items()}
    for name, value in state.items():
        if value.dim() == 1:
            tensors.append((name, value.numpy()))
            meant[name] = value
        elif bits == 32:
            tensors.append((f"{name}.q", value.numpy().view("<u4")))
            meant[name] = value
        else:
            packed = quantise(value, bits, group)
            tensors += [(f"{name}.q", packed.words()), (f"{name}.scale", packed.scales)]
            meant[name] = packed.dequantised()
    return tensors, meant


def write_weights(tensors: list[tuple[str, np.ndarray]], folder: Path) -> str:
    """Writes the weights as one shard with its index. Returns the hash of the shard."""
    data, records, offset = b"", [], 0
    for name, array in tensors:
        raw = np.ascontiguousarray(array).tobytes()
        dtype = "uint32" if array.dtype == np.uint32 else "float32"
        records.append({"name": name, "shape": list(array.shape), "dtype": dtype, "format": "raw", "nbytes": len(raw), "byteOffset": offset})
        data += raw
        offset += len(raw)
    digest = hashlib.sha256(data).hexdigest()
    (folder / SHARD).write_bytes(data)
    index = {"metadata": {"ParamSize": len(records), "ParamBytes": len(data)},
             "records": [{"dataPath": SHARD, "format": "raw-shard", "nbytes": len(data), "md5sum": hashlib.md5(data).hexdigest(), "records": records}]}
    (folder / "tensor-cache.json").write_text(json.dumps(index, indent=1) + "\n")
    return digest


@torch.no_grad()
def reference_logits(model: Pocket, tokenizer_path: Path) -> list[dict[str, Any]]:
    """Writes float32 logits of three positions (early, middle, last) of each prompt."""
    tokenizer = tokenization.load(tokenizer_path)
    prompts = []
    for chat in FIXTURE_CHATS:
        tokens = template.encode_prompt(tokenizer, chat)
        positions = [1, len(tokens) // 2, len(tokens) - 1]
        logits = model(torch.tensor([tokens]))[0][positions].float().numpy().astype("<f4")
        prompts.append({"text": template.render(chat, reply=True), "tokens": tokens, "positions": positions, "logits": base64.b64encode(logits.tobytes()).decode()})
    return prompts


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--checkpoint", type=Path, required=True)
    options.add_argument("--tokenizer", type=Path, required=True)
    options.add_argument("--package", type=Path, required=True)
    options.add_argument("--fixtures", type=Path)
    options.add_argument("--averaged", action="store_true", help="for a checkpoint in the middle of a run")
    options.add_argument("--bits", type=int, default=8, choices=[4, 8, 32])
    options.add_argument("--group", type=int, default=64)
    args = options.parse_args()
    args.package.mkdir(parents=True, exist_ok=True)
    model = load_trained(args.checkpoint, args.averaged)
    tensors, meant = parts(model, args.bits, args.group)
    digest = write_weights(tensors, args.package)
    config = chat_config(model.shape.as_dict(), args.bits, args.group)
    (args.package / "mlc-chat-config.json").write_text(json.dumps(config, indent=2) + "\n")
    shutil.copyfile(args.tokenizer, args.package / "tokenizer.json")
    if args.fixtures:
        model.load_state_dict(meant)
        args.fixtures.parent.mkdir(parents=True, exist_ok=True)
        fixture = {"weights_sha256": digest, "shape": model.shape.as_dict(), "prompts": reference_logits(model, args.tokenizer)}
        args.fixtures.write_text(json.dumps(fixture, indent=1) + "\n")
    print(f"{digest[:12]} {sum(array.nbytes for _, array in tensors) / 1e6:.2f} MB in {len(tensors)} tensors")


if __name__ == "__main__":
    main()
