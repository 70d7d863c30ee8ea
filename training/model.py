"""The network of Pocket: a small Llama-style decoder.

The published package has these parameters (see ``export.py``), and the WebGPU kernels compute this
forward pass.

Most heads see only the last ``attention_window`` tokens; a few see all. So the time per token hardly
grows with the conversation.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True)
class Shape:
    """The dimensions of the network, which the kernels need."""

    vocab_size: int = 2048
    hidden_size: int = 256
    num_hidden_layers: int = 5
    num_attention_heads: int = 8
    num_key_value_heads: int = 4
    head_dim: int = 32
    intermediate_size: int = 768
    rope_theta: float = 10000.0
    rms_norm_eps: float = 1e-5
    attention_window: int = 2048
    """Number of tokens that a head with a window sees, including the current one."""
    global_key_value_heads: Sequence[int] = ()
    """For each layer, how many of its first key-value heads see all tokens; 0 past the end of the list."""

    def as_dict(self) -> dict[str, int | float | Sequence[int]]:
        return asdict(self)


def sight(shape: Shape, layer: int, rows: Tensor, columns: Tensor) -> Tensor:
    """Returns whether each head of a layer sees column c at row r: [heads, rows, columns]."""
    seen = columns[None, :] <= rows[:, None]
    near = seen & (columns[None, :] > rows[:, None] - shape.attention_window)
    everywhere = shape.global_key_value_heads[layer] if layer < len(shape.global_key_value_heads) else 0
    shared = shape.num_attention_heads // shape.num_key_value_heads
    return torch.stack([seen if head // shared < everywhere else near for head in range(shape.num_attention_heads)])


def fast_type(device: torch.device) -> torch.dtype:
    """bfloat16 if the hardware multiplies it natively, otherwise float32. Emulated bfloat16 is twenty times slower."""
    native = device.type == "cuda" or torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported()
    return torch.bfloat16 if native else torch.float32


def rope_tables(shape: Shape, length: int, device: torch.device | None = None) -> tuple[Tensor, Tensor]:
    """Cosines and sines [length, head_dim] of the half-split rotary embedding."""
    half = shape.head_dim // 2
    frequency = shape.rope_theta ** (-torch.arange(half, dtype=torch.float32, device=device) / half)
    angle = torch.arange(length, dtype=torch.float32, device=device)[:, None] * frequency
    angle = torch.cat([angle, angle], dim=-1)
    return angle.cos(), angle.sin()


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Applies the rotary embedding to [..., length, head_dim] (``rotate_half`` convention)."""
    half = x.shape[-1] // 2
    turned = torch.cat([-x[..., half:], x[..., :half]], dim=-1)
    return x * cos.to(x.dtype) + turned * sin.to(x.dtype)


class RMSNorm(nn.Module):
    def __init__(self, size: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, self.weight.shape, self.weight, self.eps)


class Layer(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        q_rows = shape.num_attention_heads * shape.head_dim
        kv_rows = shape.num_key_value_heads * shape.head_dim
        self.attention_norm = RMSNorm(shape.hidden_size, shape.rms_norm_eps)
        self.qkv = nn.Linear(shape.hidden_size, q_rows + 2 * kv_rows, bias=False)
        self.output = nn.Linear(q_rows, shape.hidden_size, bias=False)
        self.mlp_norm = RMSNorm(shape.hidden_size, shape.rms_norm_eps)
        self.gate_up = nn.Linear(shape.hidden_size, 2 * shape.intermediate_size, bias=False)
        self.down = nn.Linear(shape.intermediate_size, shape.hidden_size, bias=False)

    def attend(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor | None) -> Tensor:
        shape, (batch, length, _) = self.shape, x.shape
        heads, kv_heads, dim = shape.num_attention_heads, shape.num_key_value_heads, shape.head_dim
        qkv = self.qkv(x).view(batch, length, heads + 2 * kv_heads, dim).transpose(1, 2)
        q, k, v = qkv.split([heads, kv_heads, kv_heads], dim=1)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        k, v = (t.repeat_interleave(heads // kv_heads, dim=1) for t in (k, v))
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=mask is None)
        return self.output(mixed.transpose(1, 2).reshape(batch, length, heads * dim))

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor | None) -> Tensor:
        """``mask`` says which tokens each head sees. Default: all earlier tokens."""
        x = x + self.attend(self.attention_norm(x), cos, sin, mask)
        gate, up = self.gate_up(self.mlp_norm(x)).chunk(2, dim=-1)
        return x + self.down(F.silu(gate) * up)


class Pocket(nn.Module):
    """The whole network: token ids → logits. The embedding matrix is also the output matrix."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.vocab_size, shape.hidden_size)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.num_hidden_layers))
        self.final_norm = RMSNorm(shape.hidden_size, shape.rms_norm_eps)
        depth = 1 / math.sqrt(2 * shape.num_hidden_layers)
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                std = shape.hidden_size**-0.5
                into_stream = name.endswith(("output.weight", "down.weight"))
                nn.init.normal_(parameter, std=std * (depth if into_stream else 1))

    def hidden(self, tokens: Tensor) -> Tensor:
        """Returns the normalized hidden states [batch, length, hidden], before the output matrix."""
        length = tokens.shape[1]
        cos, sin = rope_tables(self.shape, length, tokens.device)
        positions = torch.arange(length, device=tokens.device)
        x = self.embedding(tokens)
        for index, layer in enumerate(self.layers):
            # Without a mask the fused attention kernels are faster.
            mask = sight(self.shape, index, positions, positions) if length > self.shape.attention_window else None
            x = layer(x, cos, sin, mask)
        return self.final_norm(x)

    def forward(self, tokens: Tensor) -> Tensor:
        return F.linear(self.hidden(tokens), self.embedding.weight)
