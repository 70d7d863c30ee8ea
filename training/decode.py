"""Greedy decoding of many prompts at once, with a KV cache."""
from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from model import Layer, Pocket, rope_tables, rotate, sight


class Decoder:
    """Decodes all prompts in one batch. Shorter prompts are padded on the left. The padding is masked, and does not change
    the result because rotary positions are relative. A finished answer leaves the batch."""

    def __init__(self, model: Pocket, prompts: list[list[int]], limit: int) -> None:
        longest = max(map(len, prompts))
        self.model, self.limit = model, limit
        device = model.embedding.weight.device
        self.tokens = torch.tensor([[0] * (longest - len(prompt)) + prompt for prompt in prompts], device=device)
        self.start = torch.tensor([longest - len(prompt) for prompt in prompts], device=device)
        self.cos, self.sin = rope_tables(model.shape, longest + limit + 1, device)
        self.cache: list[tuple[Tensor, Tensor] | None] = [None] * len(model.layers)

    def _attend(self, layer: Layer, index: int, x: Tensor, at: int, mask: Tensor) -> Tensor:
        shape, (batch, length, _) = layer.shape, x.shape
        heads, kv_heads, dim = shape.num_attention_heads, shape.num_key_value_heads, shape.head_dim
        qkv = layer.qkv(x).view(batch, length, heads + 2 * kv_heads, dim).transpose(1, 2)
        q, k, v = qkv.split([heads, kv_heads, kv_heads], dim=1)
        cos, sin = self.cos[at : at + length], self.sin[at : at + length]
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        if before := self.cache[index]:
            k, v = torch.cat([before[0], k], dim=2), torch.cat([before[1], v], dim=2)
        self.cache[index] = (k, v)
        k, v = (t.repeat_interleave(heads // kv_heads, dim=1) for t in (k, v))
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return layer.output(mixed.transpose(1, 2).reshape(batch, length, heads * dim))

    def _forward(self, tokens: Tensor, at: int) -> Tensor:
        rows, columns = torch.arange(at, at + tokens.shape[1], device=tokens.device), torch.arange(at + tokens.shape[1], device=tokens.device)
        padding = (columns < self.start[:, None, None]) & (columns != rows[:, None])
        x = self.model.embedding(tokens)
        for index, layer in enumerate(self.model.layers):
            visible = sight(self.model.shape, index, rows, columns) & ~padding[:, None]
            x = x + self._attend(layer, index, layer.attention_norm(x), at, visible)
            gate, up = layer.gate_up(layer.mlp_norm(x)).chunk(2, dim=-1)
            x = x + layer.down(F.silu(gate) * up)
        return F.linear(self.model.final_norm(x[:, -1]), self.model.embedding.weight)

    def _keep(self, rows: Tensor) -> None:
        """Keeps only these rows of the batch."""
        self.start = self.start[rows]
        self.cache = [(k[rows], v[rows]) for k, v in filter(None, self.cache)]

    @torch.no_grad()
    def run(self, end: int) -> list[list[int]]:
        answers: list[list[int]] = [[] for _ in range(self.tokens.shape[0])]
        going = torch.arange(len(answers), device=self.tokens.device)
        tokens, at = self.tokens, 0
        for _ in range(self.limit):
            chosen = self._forward(tokens, at).argmax(-1)
            at += tokens.shape[1]
            rows = (chosen != end).nonzero().flatten()
            if len(rows) < len(going):
                self._keep(rows)
                going, chosen = going[rows], chosen[rows]
            if not len(going):
                break
            for number, token in zip(going.tolist(), chosen.tolist()):
                answers[number].append(token)
            tokens = chosen[:, None]
        return answers
