"""Computes embeddings with NumPy: python3 embed.py MODEL FOLDER, with a JSON list of texts as input.

MODEL is minilm or pocket_embed; FOLDER has its files. It prints the vectors as 32-bit floats, one after the other.
"""

import importlib
import json
import sys

import numpy as np

DIMENSIONS = 384
BATCH_TOKENS = 4096

model = importlib.import_module(sys.argv[1])
tensors, vocabulary = model.load(sys.argv[2])
texts = [model.tokenize(text, vocabulary) or [0] for text in json.load(sys.stdin)]
vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
start = 0
while start < len(order):
    length = len(texts[order[start]])
    end = start + 1
    while end < len(order) and len(texts[order[end]]) == length and (end - start + 1) * length <= BATCH_TOKENS:
        end += 1
    group = order[start:end]
    vectors[group] = model.embed(np.array([texts[index] for index in group]), tensors)
    start = end
sys.stdout.buffer.write(vectors.tobytes())
