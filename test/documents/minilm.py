"""all-MiniLM-L6-v2 in NumPy."""

import json
import re
import struct
import unicodedata
from math import sqrt

import numpy as np

HEADS = 12
LAYERS = 6
LONGEST = 512
BATCH_TOKENS = 4096


def load(folder):
    with open(f"{folder}/model.safetensors", "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        data = file.read()
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        if entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            tensors[name] = np.frombuffer(data[start:end], np.float32).reshape(entry["shape"])
    with open(f"{folder}/tokenizer.json", encoding="utf-8") as file:
        return tensors, json.load(file)["model"]["vocab"]


def words(text):
    """Returns the words as BERT's tokenizer cuts them: lower case, without accents, punctuation and Han apart."""
    text = unicodedata.normalize("NFD", text.lower())
    text = "".join(char for char in text if unicodedata.category(char) != "Mn")
    text = re.sub(r"([\u3400-\u9fff\uf900-\ufaff])", r" \1 ", text)
    for word in text.split():
        yield from re.findall(r"\w[^\W_]*|[^\w\s]|_", word) if not word.isalnum() else [word]


def pieces(word, vocabulary):
    found, start = [], 0
    while start < len(word):
        end = len(word)
        prefix = "##" if start else ""
        while end > start and prefix + word[start:end] not in vocabulary:
            end -= 1
        if end == start:
            return [vocabulary["[UNK]"]]
        found.append(vocabulary[prefix + word[start:end]])
        start = end
    return found


def tokenize(text, vocabulary, known={}):
    tokens = []
    for word in words(text):
        if word not in known:
            known[word] = pieces(word[:100], vocabulary)
        tokens += known[word]
    return [vocabulary["[CLS]"], *tokens[: LONGEST - 2], vocabulary["[SEP]"]]


def erf(x):
    # Abramowitz and Stegun 7.1.26; its error is below 2e-7.
    sign, x = np.sign(x), np.abs(x)
    t = 1 / (1 + 0.3275911 * x)
    sum_ = ((((1.061405429 * t - 1.453152027) * t) + 1.421413741) * t - 0.284496736) * t + 0.254829592
    return sign * (1 - sum_ * t * np.exp(-x * x))


def embed(batch, tensors):
    """Returns the unit vectors of texts with the same number of tokens."""
    count, length = batch.shape

    def linear(name, x):
        return x @ tensors[f"{name}.weight"].T + tensors[f"{name}.bias"]

    def norm(name, x):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        return x * tensors[f"{name}.weight"] + tensors[f"{name}.bias"]

    x = tensors["embeddings.word_embeddings.weight"][batch]
    x = x + tensors["embeddings.position_embeddings.weight"][:length]
    x = norm("embeddings.LayerNorm", x + tensors["embeddings.token_type_embeddings.weight"][0])
    for layer in range(LAYERS):
        part = f"encoder.layer.{layer}"
        q, k, v = (
            linear(f"{part}.attention.self.{name}", x).reshape(count, length, HEADS, -1).transpose(0, 2, 1, 3)
            for name in ("query", "key", "value")
        )
        scores = q @ k.transpose(0, 1, 3, 2) / np.float32(sqrt(q.shape[-1]))
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ v
        mixed = linear(f"{part}.attention.output.dense", mixed.transpose(0, 2, 1, 3).reshape(count, length, -1))
        x = norm(f"{part}.attention.output.LayerNorm", x + mixed)
        inner = linear(f"{part}.intermediate.dense", x)
        inner = inner * 0.5 * (1 + erf(inner / np.float32(sqrt(2))))
        x = norm(f"{part}.output.LayerNorm", x + linear(f"{part}.output.dense", inner))
    mean = x.mean(1)
    return mean / np.linalg.norm(mean, axis=-1, keepdims=True)
