"""Interpolates between the weights of a package and those of packages that were trained further from it.

    python -m embed.blend --package ../public/models/pocket-embed --further runs/again,runs/near-again --out blended

Further training forgets a part of what the package has learnt. Weights in between keep nearly all of both.
"""
from __future__ import annotations

import argparse
from pathlib import Path

from .package import load_package, write_package


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--package", type=Path, required=True)
    options.add_argument("--further", required=True, help="packages with commas between; their mean is taken")
    options.add_argument("--embedding", type=float, default=0.7, help="share of the latter in the embedding")
    options.add_argument("--layers", type=float, default=0.2, help="share of the latter in the layers")
    options.add_argument("--bits", type=int, default=4)
    options.add_argument("--out", type=Path, required=True)
    args = options.parse_args()
    model, _ = load_package(args.package)
    further = [load_package(Path(folder))[0].state_dict() for folder in args.further.split(",")]
    blended = {}
    for name, value in model.state_dict().items():
        share = args.embedding if name.startswith("embedding") else args.layers
        blended[name] = (1 - share) * value + share * sum(state[name] for state in further) / len(further)
    model.load_state_dict(blended)
    print(write_package(model, args.package / "tokenizer.json", args.out, args.bits))


if __name__ == "__main__":
    main()
