"""Trains Pocket on newly generated conversations. The seed determines them.

    python train.py --tokenizer tokenizer.json --out run --steps 11300
    python train.py --tokenizer tokenizer.json --out run --seconds 380 --agent-tokens 32768 --everyday-tokens 16384 --generators 14

Uses a GPU if there is one. After an interruption it resumes from ``run/checkpoint.pt``. ``--start`` begins
with the weights of a published package instead of random ones. Separate processes generate the
conversations, or with ``--generators 0`` the process of the training.
"""
from __future__ import annotations

import argparse
import time
from pathlib import Path

import torch
import torch.nn.functional as F

from batches import Batch
from checkpoint import Progress, restore, save
from generators import Generators
from model import Pocket, Shape, fast_type
from muon import Muon
from package import load_package

SHAPE = Shape(num_hidden_layers=4, intermediate_size=1024, attention_window=128, global_key_value_heads=(0, 2, 2, 0))
MATRIX_RATE, VECTOR_RATE = 0.02, 0.004
WARM_UP = 60
AVERAGE_EVERY, AVERAGE_KEEP = 4, 0.99
LONG_EVERY = 2
MIN_RATE = 0.02
SAVE_EVERY_SECONDS = 120


def optimizers(model: Pocket) -> tuple[Muon, torch.optim.AdamW]:
    """Returns Muon for the matrices of the layers, and AdamW for the embedding and the norms."""
    shape = model.shape
    q_rows, kv_rows = shape.num_attention_heads * shape.head_dim, shape.num_key_value_heads * shape.head_dim
    matrices = []
    for layer in model.layers:
        matrices += [(layer.qkv.weight, [q_rows, kv_rows, kv_rows]), (layer.output.weight, [shape.hidden_size]),
                     (layer.gate_up.weight, [shape.intermediate_size] * 2), (layer.down.weight, [shape.hidden_size])]
    taken = {id(parameter) for parameter, _ in matrices}
    rest = [parameter for parameter in model.parameters() if id(parameter) not in taken]
    return Muon(matrices, lr=MATRIX_RATE), torch.optim.AdamW(rest, lr=VECTOR_RATE, betas=(0.9, 0.95), weight_decay=0.0)


def rate(step: int, done: float, decay_from: float) -> float:
    """Returns the factor of the learning rate: warm-up, constant, then linear decay. ``done`` is the share of training,
    0…1."""
    return max(MIN_RATE, min(1.0, (step + 1) / WARM_UP, (1 - done) / (1 - decay_from)))


def share_done(progress: Progress, args: argparse.Namespace) -> float:
    """Returns the share of training that is done, by steps or by time, whichever is larger."""
    return max(progress.step / args.steps if args.steps else 0.0, progress.seconds() / args.seconds if args.seconds else 0.0)


def learn(model: Pocket, batches: list[Batch], device: torch.device) -> torch.Tensor:
    """Computes the gradients of the cross-entropy of the assistant's tokens in all batches together."""
    count = sum(len(batch.targets) for batch in batches)
    total = torch.zeros((), device=device)
    for batch in batches:
        tokens, places, targets = (part.to(device, non_blocking=True) for part in (batch.tokens, batch.places, batch.targets))
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=fast_type(device) == torch.bfloat16):
            hidden = model.hidden(tokens)
            hidden = hidden.reshape(-1, hidden.shape[-1]).index_select(0, places)
            loss = F.cross_entropy(F.linear(hidden, model.embedding.weight).float(), targets, reduction="sum") / count
        loss.backward()
        total += loss.detach()
    return total


def run(args: argparse.Namespace) -> None:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(args.seed)
    model = (load_package(args.start).train() if args.start else Pocket(SHAPE)).to(device)
    average = {name: value.clone() for name, value in model.state_dict().items()}
    both = optimizers(model)
    progress = restore(args.out, model, average, both)
    # A resumed run uses new random streams, so that it does not repeat earlier conversations.
    generators = Generators(args, args.seed * 1_000_003 + progress.step * 64)
    recent: list[torch.Tensor] = []
    saved = progress.seconds()
    while (done := share_done(progress, args)) < 1:
        batches = generators.take("everyday", "agents")
        if progress.step >= args.long_from and progress.step % LONG_EVERY == 0:
            batches += generators.take("distant")
        recent.append(learn(model, batches, device))
        factor = rate(progress.step, done, args.decay_from)
        for optimizer, base in zip(both, (MATRIX_RATE, VECTOR_RATE)):
            for group in optimizer.param_groups:
                group["lr"] = base * args.rate * factor
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        progress.step += 1
        progress.seen += sum(batch.used for batch in batches)
        if progress.step % AVERAGE_EVERY == 0:
            keep = min(AVERAGE_KEEP, progress.step / (progress.step + 40))
            torch._foreach_lerp_(list(average.values()), list(model.state_dict().values()), 1 - keep)
        if progress.step % args.report_every == 0:
            print(f"{time.strftime('%H:%M:%S')} step {progress.step} loss {torch.stack(recent).mean().item():.4f} seen {progress.seen / 1e6:.2f}M "
                  f"rate {factor:.3f} seconds {progress.seconds():.0f} repeated {generators.repeated}", flush=True)
            recent.clear()
        if progress.seconds() - saved > SAVE_EVERY_SECONDS:
            save(args.out, model, average, both, progress)
            saved = progress.seconds()
    save(args.out, model, average, both, progress)
    generators.close()


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--tokenizer", required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--start", type=Path, help="a package whose weights to begin with")
    options.add_argument("--steps", type=int, default=0)
    options.add_argument("--seconds", type=float, default=0, help="ends after this time, with the rate fallen as planned")
    options.add_argument("--decay-from", type=float, default=0.6, help="share of the plan at which the rate begins to fall")
    options.add_argument("--rate", type=float, default=1.0, help="factor of the learning rates; small where a good model is trained a little further")
    options.add_argument("--everyday-tokens", type=int, default=3072, help="tokens of a step in everyday conversations")
    options.add_argument("--agent-tokens", type=int, default=6144, help="tokens of a step in conversations with tools")
    options.add_argument("--generators", type=int, default=2, help="processes that generate conversations; 0: the training does it itself")
    options.add_argument("--repeats", type=int, default=0, help="how often a batch may be seen again while no new one is ready")
    options.add_argument("--long-from", type=int, default=700, help="step at which long conversations begin")
    options.add_argument("--report-every", type=int, default=25)
    options.add_argument("--seed", type=int, default=1)
    args = options.parse_args()
    if not args.steps and not args.seconds:
        options.error("--steps or --seconds")
    args.out.mkdir(parents=True, exist_ok=True)
    run(args)


if __name__ == "__main__":
    main()
