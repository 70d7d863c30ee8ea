"""Trains Pocket. Every step sees freshly generated conversations; the seed fixes them all.

    python train.py --tokenizer tokenizer.json --out run --steps 5000 --decay-from 3000

Stop it whenever you like: it continues from ``run/checkpoint.pt``.
"""
from __future__ import annotations

import argparse
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

import batches
import tokenizer as tokenization
from model import Pocket, Shape
from muon import Muon

SHAPE = Shape(num_hidden_layers=4, intermediate_size=1024)
MATRIX_RATE, VECTOR_RATE = 0.02, 0.004
WARM_UP = 60


def optimizers(model: Pocket) -> tuple[Muon, torch.optim.AdamW]:
    shape = model.shape
    q_rows, kv_rows = shape.num_attention_heads * shape.head_dim, shape.num_key_value_heads * shape.head_dim
    matrices = []
    for layer in model.layers:
        matrices += [(layer.qkv.weight, [q_rows, kv_rows, kv_rows]), (layer.output.weight, [shape.hidden_size]),
                     (layer.gate_up.weight, [shape.intermediate_size] * 2), (layer.down.weight, [shape.hidden_size])]
    taken = {id(parameter) for parameter, _ in matrices}
    rest = [parameter for parameter in model.parameters() if id(parameter) not in taken]
    return Muon(matrices, lr=MATRIX_RATE), torch.optim.AdamW(rest, lr=VECTOR_RATE, betas=(0.9, 0.95), weight_decay=0.0)


def rate(step: int, steps: int, decay_from: int) -> float:
    """Warm up, stay, then fall in a straight line to almost nothing."""
    if step < WARM_UP:
        return (step + 1) / WARM_UP
    return max(0.02, min(1.0, (steps - step) / max(1, steps - decay_from)))


def loss_sum(model: Pocket, tokens: Tensor, targets: Tensor, weights: Tensor) -> Tensor:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        hidden = model.hidden(tokens)
        logits = F.linear(hidden.reshape(-1, hidden.shape[-1]), model.embedding.weight)
        losses = F.cross_entropy(logits.float(), targets.reshape(-1), reduction="none")
    return (losses * weights.reshape(-1)).sum()


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--tokenizer", required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--steps", type=int, required=True)
    options.add_argument("--decay-from", type=int, required=True)
    options.add_argument("--tokens", type=int, default=4096, help="tokens in a half step")
    options.add_argument("--long-from", type=int, default=700, help="step at which long conversations begin")
    options.add_argument("--seed", type=int, default=1)
    args = options.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(2)
    torch.manual_seed(args.seed)

    model = Pocket(SHAPE)
    average = {name: value.clone() for name, value in model.state_dict().items()}
    both = optimizers(model)
    step, seen, spent = 0, 0, 0.0
    saved = args.out / "checkpoint.pt"
    if saved.exists():
        state = torch.load(saved)
        model.load_state_dict(state["model"])
        average = state["average"]
        for optimizer, kept in zip(both, state["optimizers"]):
            optimizer.load_state_dict(kept)
        step, seen, spent = state["step"], state["seen"], state["seconds"]
    tokenizer = tokenization.load(args.tokenizer)
    # A resumed run starts a new stream, named by its step, instead of replaying the old one.
    stream = batches.everyday(tokenizer, args.seed * 1_000_003 + step, args.tokens)
    far = batches.distant(tokenizer, args.seed * 1_000_003 + 500_000 + step, args.tokens)
    compute = torch.compile(loss_sum, dynamic=True)
    bases = [optimizer.param_groups[0]["lr"] for optimizer in both] if not step else [MATRIX_RATE, VECTOR_RATE]
    recent: list[float] = []
    began = time.time()

    def save() -> None:
        torch.save({"model": model.state_dict(), "average": average, "optimizers": [o.state_dict() for o in both], "step": step,
                    "seen": seen, "seconds": spent + time.time() - began, "shape": SHAPE.as_dict()}, args.out / "next.pt")
        (args.out / "next.pt").replace(saved)

    while step < args.steps:
        halves = [next(stream), next(far) if step >= args.long_from and step % 6 == 0 else next(stream)]
        total = sum(float(half.weights.sum()) for half in halves)
        loss = 0.0
        for half in halves:
            part = compute(model, half.tokens, half.targets, half.weights) / total
            part.backward()
            loss += float(part.detach())
            seen += int((half.weights > 0).sum())
        factor = rate(step, args.steps, args.decay_from)
        for optimizer, base in zip(both, bases):
            for group in optimizer.param_groups:
                group["lr"] = base * factor
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        step += 1
        with torch.no_grad():
            keep = min(0.998, step / (step + 10))
            for name, value in model.state_dict().items():
                average[name].lerp_(value, 1 - keep)
        recent.append(loss)
        if step % 50 == 0:
            print(f"step {step} loss {sum(recent) / len(recent):.4f} seen {seen / 1e6:.2f}M rate {factor:.3f} seconds {spent + time.time() - began:.0f}", flush=True)
            recent.clear()
        if step % 200 == 0:
            save()
    save()


if __name__ == "__main__":
    main()
