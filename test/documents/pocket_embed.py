"""Pocket Embed in NumPy: a layer in which each token attends to all others, and the sum of the tokens."""

import json
import re
import unicodedata
from math import sqrt

import numpy as np

LONGEST = 512


def load(folder):
    with open(f"{folder}/tensor-cache.json", encoding="utf-8") as file:
        records = json.load(file)["records"][0]["records"]
    with open(f"{folder}/params_shard_0.bin", "rb") as file:
        data = file.read()
    raw = {}
    for record in records:
        start, size = record["byteOffset"], record["nbytes"]
        raw[record["name"]] = np.frombuffer(data[start : start + size], record["dtype"]).reshape(record["shape"])
    tensors = {name: value for name, value in raw.items() if name.endswith("norm.weight")}
    for name, words in raw.items():
        if name.endswith(".q"):
            # Eight numbers of four bits in a word, the lowest first; each is 8 more than it stands for.
            numbers = (words[:, :, None] >> np.arange(0, 32, 4, dtype=np.uint32)) & 15
            numbers = numbers.reshape(len(words), -1).astype(np.float32) - 8
            scales = raw[name[:-2] + ".scale"]
            tensors[name[:-2]] = numbers * np.repeat(scales, numbers.shape[1] // scales.shape[1], axis=1)
    with open(f"{folder}/tokenizer.json", encoding="utf-8") as file:
        return tensors, json.load(file)["model"]["vocab"]


def byte_characters():
    """Returns the character by which a byte-level tokenizer writes each byte."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {**{byte: chr(byte) for byte in plain}, **{byte: chr(256 + index) for index, byte in enumerate(others)}}


BYTES = byte_characters()
WORD = re.compile(r"[^\W\d_]+|\d|(?:[^\w\s]|_)+")


def tokenize(text, vocabulary, known={}):
    text = unicodedata.normalize("NFKD", text)
    text = "".join(char for char in text if unicodedata.category(char) != "Mn").lower()
    tokens = []
    for word in WORD.findall(text):
        if word not in known:
            written = "".join(BYTES[byte] for byte in word.encode("utf-8", "replace"))
            known[word] = pieces(written, vocabulary)
        tokens += known[word]
    return tokens[:LONGEST]


def pieces(word, vocabulary):
    found, start = [], 0
    while start < len(word):
        end = len(word)
        prefix = "##" if start else ""
        while prefix + word[start:end] not in vocabulary:
            end -= 1
            if end == start:
                return [0]
        found.append(vocabulary[prefix + word[start:end]])
        start = end
    return found


def embed(batch, tensors):
    """Returns the unit vectors of texts with the same number of tokens."""
    count, length = batch.shape

    def linear(name, x):
        return x @ tensors[f"layers.0.{name}.weight"].T

    def norm(name, x):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * tensors[f"layers.0.{name}.weight"]

    def rotate(x):
        half = x.shape[-1] // 2
        angles = np.arange(length)[:, None] * 10000.0 ** (-np.arange(half) / half)
        cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
        one, other = x[..., :half], x[..., half:]
        return np.concatenate([one * cos - other * sin, other * cos + one * sin], -1)

    x = tensors["embedding.weight"][batch]
    heads = linear("qkv", norm("attention_norm", x)).reshape(count, length, 6, 32).transpose(0, 2, 1, 3)
    q, k, v = rotate(heads[:, 0:2]), rotate(heads[:, 2:4]), heads[:, 4:6]
    scores = q @ k.transpose(0, 1, 3, 2) / np.float32(sqrt(32))
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    mixed = (scores / scores.sum(-1, keepdims=True)) @ v
    x = x + linear("output", mixed.transpose(0, 2, 1, 3).reshape(count, length, -1))
    gate, up = np.split(linear("gate_up", norm("mlp_norm", x)), 2, -1)
    x = x + linear("down", gate / (1 + np.exp(-gate)) * up)
    total = x.sum(1)
    return total / np.linalg.norm(total, axis=-1, keepdims=True)
