"""Writes the vectors of the published weights, computed by PyTorch in float32, for the tests of the library.

    python -m embed.fixture --package ../public/models/pocket-embed --out ../test/pocket/fixtures/reference-vectors.json
"""
from __future__ import annotations

import argparse
import base64
import hashlib
import json
from pathlib import Path

from .encoder import embed_texts
from .package import load_package

TEXTS = [
    "How do I delete a chat?",
    "A service worker is a script that the browser runs beside a page.",
    "const response = await fetch('/v1/embeddings', { method: 'POST' });",
    "Downloading, downloads, downloaded: queries for caf\u00e9s in \u65e5\u672c, 42 \u00d7 7 \U0001f680",
    "xylophonic " * 30,
    "Nothing leaves the device but the download of a model that you ask for. " * 20,
]


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--package", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    args = options.parse_args()
    model, tokenizer = load_package(args.package)
    texts = []
    for text in TEXTS:
        vector = embed_texts(model, tokenizer, [text])[0].numpy().astype("<f4")
        texts.append({"text": text, "tokens": tokenizer.encode(text).ids, "vector": base64.b64encode(vector.tobytes()).decode()})
    digest = hashlib.sha256((args.package / "params_shard_0.bin").read_bytes()).hexdigest()
    args.out.write_text(json.dumps({"weights_sha256": digest, "texts": texts}, indent=1) + "\n")


if __name__ == "__main__":
    main()
