"""Prints random training conversations.

    python sample_corpus.py 40 [train|eval] [seed]
"""
from __future__ import annotations

import random
import sys

from corpus.mixture import conversation


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    split = "eval" if "eval" in sys.argv else "train"
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    for _ in range(count):
        made = conversation(rng, split)
        print(f"[{made.kind}]")
        for role, text in made.messages:
            print(f"  {role}: {text}")


if __name__ == "__main__":
    main()
