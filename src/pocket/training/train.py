"""Trains Pocket. Every step sees freshly generated conversations; the seed fixes them all.

    python train.py --tokenizer tokenizer.json --out run --steps 5000 --decay-from 3000

Stop it whenever you like: it continues from ``run/checkpoint.pt``. A file ``run/plan`` with two
numbers, steps and decay-from, changes the plan of a running training. Each worker is one process
with one thread and its own batches; gradients are averaged every step. On cores that other
programs use too this loses far less than one process with many threads.
"""
from __future__ import annotations

import argparse
import time
from pathlib import Path

import torch
import torch.distributed as distributed
import torch.multiprocessing as multiprocessing
import torch.nn.functional as F
from torch import Tensor

import batches
import tokenizer as tokenization
from checkpoint import Progress, restore, save
from model import Pocket, Shape
from muon import Muon

SHAPE = Shape(num_hidden_layers=4, intermediate_size=1024)
MATRIX_RATE, VECTOR_RATE = 0.02, 0.004
WARM_UP = 60
AVERAGE_EVERY, AVERAGE_KEEP = 4, 0.99
LONG_EVERY = 4


def optimizers(model: Pocket) -> tuple[Muon, torch.optim.AdamW]:
    """Muon for the matrices of the layers, AdamW for the embedding and the norms."""
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


def planned(args: argparse.Namespace) -> tuple[int, int]:
    path = args.out / "plan"
    if not path.exists():
        return args.steps, args.decay_from
    steps, decay_from = map(int, path.read_text().split())
    return steps, decay_from


def loss_of(model: Pocket, tokens: Tensor, places: Tensor, targets: Tensor) -> Tensor:
    """Cross-entropy at the places where the assistant writes, and only there."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        hidden = model.hidden(tokens)
        hidden = hidden.reshape(-1, hidden.shape[-1]).index_select(0, places)
        return F.cross_entropy(F.linear(hidden, model.embedding.weight).float(), targets)


def average_gradients(model: Pocket) -> None:
    gradients = [parameter.grad for parameter in model.parameters()]
    flat = torch.cat([gradient.reshape(-1) for gradient in gradients])
    distributed.all_reduce(flat)
    flat /= distributed.get_world_size()
    for gradient, part in zip(gradients, flat.split([g.numel() for g in gradients])):
        gradient.copy_(part.view_as(gradient))


def work(rank: int, args: argparse.Namespace) -> None:
    torch.set_num_threads(1)
    distributed.init_process_group("gloo", init_method=f"file://{args.out.resolve()}/meeting", rank=rank, world_size=args.workers)
    torch.manual_seed(args.seed)
    model = Pocket(SHAPE)
    average = {name: value.clone() for name, value in model.state_dict().items()}
    both = optimizers(model)
    progress = restore(args.out, model, average, both)
    tokenizer = tokenization.load(args.tokenizer)
    # A resumed run starts new streams, named by its step, instead of replaying the old ones.
    seed = args.seed * 1_000_003 + progress.step * 16 + rank
    stream = batches.everyday(tokenizer, seed, args.tokens // args.workers)
    far = batches.distant(tokenizer, seed + 500_000_000, args.tokens // args.workers)
    compute = torch.compile(loss_of, dynamic=True)
    recent: list[float] = []
    steps, decay_from = planned(args)
    while progress.step < steps:
        batch = next(far) if progress.step >= args.long_from and progress.step % LONG_EVERY == 0 else next(stream)
        loss = compute(model, batch.tokens, batch.places, batch.targets)
        loss.backward()
        average_gradients(model)
        factor = rate(progress.step, steps, decay_from)
        for optimizer, base in zip(both, (MATRIX_RATE, VECTOR_RATE)):
            for group in optimizer.param_groups:
                group["lr"] = base * factor
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        progress.step += 1
        progress.seen += batch.used * args.workers
        if progress.step % AVERAGE_EVERY == 0:
            keep = min(AVERAGE_KEEP, progress.step / (progress.step + 40))
            for name, value in model.state_dict().items():
                average[name].lerp_(value, 1 - keep)
        recent.append(float(loss.detach()))
        if rank == 0 and progress.step % 25 == 0:
            print(f"{time.strftime('%H:%M:%S')} step {progress.step} loss {sum(recent) / len(recent):.4f} seen {progress.seen / 1e6:.2f}M "
                  f"rate {factor:.3f} seconds {progress.seconds():.0f}", flush=True)
            recent.clear()
        if progress.step % 100 == 0 or progress.step == steps:
            if rank == 0:
                save(args.out, model, average, both, progress)
            distributed.barrier()
            steps, decay_from = planned(args)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--tokenizer", required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--steps", type=int, required=True)
    options.add_argument("--decay-from", type=int, required=True)
    options.add_argument("--tokens", type=int, default=8192, help="tokens in a step, all workers together")
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--long-from", type=int, default=700, help="step at which long conversations begin")
    options.add_argument("--seed", type=int, default=1)
    args = options.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "meeting").unlink(missing_ok=True)
    multiprocessing.spawn(work, (args,), nprocs=args.workers)


if __name__ == "__main__":
    main()
