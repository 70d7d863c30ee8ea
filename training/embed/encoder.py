"""The embedding network: a few layers like Pocket's, without a causal mask, whose outputs are summed to one vector.

The length of a token's embedding is its weight in the sum, so it is not normalized: common words have
short vectors. ``src/pocket/kernels/encoder-*.wgsl`` compute the same.
"""
from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model import Layer, Shape, rope_tables

CONTEXT_WINDOW = 512


class Encoder(nn.Module):
    """Token ids [texts, length] and mask → vectors [texts, hidden] of length 1."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.vocab_size, shape.hidden_size)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.num_hidden_layers))
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                into_stream = name.endswith(("output.weight", "down.weight"))
                # Small, so that an untrained layer hardly changes the sum.
                nn.init.normal_(parameter, std=shape.hidden_size**-0.5 * (0.01 if into_stream else 1))

    def summed(self, tokens: Tensor, mask: Tensor, without_layers: bool = False) -> Tensor:
        """Returns the sum of each text's token vectors, not normalized."""
        if not self.layers or without_layers:
            ends = mask.sum(1).cumsum(0)
            starts = torch.cat([ends.new_zeros(1), ends[:-1]])
            return F.embedding_bag(tokens[mask], self.embedding.weight, starts, mode="sum")
        cos, sin = rope_tables(self.shape, tokens.shape[1], tokens.device)
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x, cos, sin, mask[:, None, None, :])
        return (x * mask[:, :, None]).sum(1)

    def forward(self, tokens: Tensor, mask: Tensor) -> Tensor:
        return F.normalize(self.summed(tokens, mask).float(), dim=-1)


def padded(texts: list[list[int]], most: int = CONTEXT_WINDOW) -> tuple[Tensor, Tensor]:
    """Pads token lists. Returns the ids, and a mask that is true for tokens. An empty text becomes one unknown token."""
    cut = [tokens[:most] or [0] for tokens in texts]
    length = max(map(len, cut))
    ids = torch.zeros(len(cut), length, dtype=torch.long)
    mask = torch.zeros(len(cut), length, dtype=torch.bool)
    for row, tokens in enumerate(cut):
        ids[row, : len(tokens)] = torch.tensor(tokens)
        mask[row, : len(tokens)] = True
    return ids, mask


@torch.no_grad()
def embed_texts(model: Encoder, tokenizer, texts: list[str], batch: int = 64) -> Tensor:
    """Returns the vectors [texts, hidden] on the CPU."""
    device = next(model.parameters()).device
    vectors = []
    for at in range(0, len(texts), batch):
        ids, mask = padded([encoding.ids for encoding in tokenizer.encode_batch(texts[at : at + batch])])
        vectors.append(model(ids.to(device), mask.to(device)).cpu())
    return torch.cat(vectors)
