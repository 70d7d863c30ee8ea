"""Greedy decoding with a cache, for several prompts of the same length at once."""
from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from model import Layer, Pocket, rope_tables, rotate


class Decoder:
    """Runs all prompts in step; a finished answer is ignored from then on."""

    def __init__(self, model: Pocket, prompts: Tensor, limit: int) -> None:
        self.model, self.prompts, self.limit = model, prompts, limit
        self.cos, self.sin = rope_tables(model.shape, prompts.shape[1] + limit + 1)
        self.cache: list[tuple[Tensor, Tensor] | None] = [None] * len(model.layers)

    def _attend(self, layer: Layer, index: int, x: Tensor, at: int) -> Tensor:
        shape, (batch, length, _) = layer.shape, x.shape
        heads, kv_heads, dim = shape.num_attention_heads, shape.num_key_value_heads, shape.head_dim
        qkv = layer.qkv(x).view(batch, length, heads + 2 * kv_heads, dim).transpose(1, 2)
        q, k, v = qkv.split([heads, kv_heads, kv_heads], dim=1)
        cos, sin = self.cos[at : at + length], self.sin[at : at + length]
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        before = self.cache[index]
        if before is not None:
            k, v = torch.cat([before[0], k], dim=2), torch.cat([before[1], v], dim=2)
        self.cache[index] = (k, v)
        k, v = (t.repeat_interleave(heads // kv_heads, dim=1) for t in (k, v))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=before is None)
        return layer.output(mixed.transpose(1, 2).reshape(batch, length, heads * dim))

    def _forward(self, tokens: Tensor, at: int) -> Tensor:
        x = self.model.embedding(tokens)
        for index, layer in enumerate(self.model.layers):
            x = x + self._attend(layer, index, layer.attention_norm(x), at)
            gate, up = layer.gate_up(layer.mlp_norm(x)).chunk(2, dim=-1)
            x = x + layer.down(F.silu(gate) * up)
        return F.linear(self.model.final_norm(x[:, -1]), self.model.embedding.weight)

    @torch.no_grad()
    def run(self, end: int) -> list[list[int]]:
        answers: list[list[int]] = [[] for _ in range(self.prompts.shape[0])]
        open_answers = set(range(len(answers)))
        tokens, at = self.prompts, 0
        for _ in range(self.limit):
            chosen = self._forward(tokens, at).argmax(-1)
            at += tokens.shape[1]
            for number in list(open_answers):
                token = int(chosen[number])
                if token == end:
                    open_answers.discard(number)
                else:
                    answers[number].append(token)
            if not open_answers:
                break
            tokens = chosen[:, None]
        return answers
