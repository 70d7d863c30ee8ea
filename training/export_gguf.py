"""Writes a published package as one GGUF file, for llama.cpp. Needs `numpy` and `gguf`.

    python export_gguf.py ../public/models/pocket pocket.gguf

The file has the same weights in float32. llama.cpp's Llama has no attention windows, so its results equal Pocket's only
up to ``attention_window`` tokens. That suffices to test the endpoint against another server.
"""
from __future__ import annotations

import json
import sys
from pathlib import Path

import gguf
import numpy as np

from weights import read_weights

END = 0

# Renders the same text as ``template.render``.
CHAT_TEMPLATE = (
    "{% for message in messages %}{% if message['role'] != 'system' or message['content'] %}"
    "{{ '<|' + message['role'] + '|>' + (message['content'] or '') + '<|end|>' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)


def interleaved(rows: np.ndarray, heads: int) -> np.ndarray:
    """Reorders rows for the rotary embedding: llama.cpp rotates neighbouring rows, Pocket a row of each half of the head."""
    dim = rows.shape[0] // heads
    return rows.reshape(heads, 2, dim // 2, rows.shape[1]).swapaxes(1, 2).reshape(rows.shape)


def write(folder: Path, path: Path) -> None:
    config, weights = read_weights(folder)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("pocket")
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    heads, kv_heads, dim = config["num_attention_heads"], config["num_key_value_heads"], config["head_dim"]
    writer.add_context_length(config["context_window_size"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(heads)
    writer.add_head_count_kv(kv_heads)
    writer.add_rope_dimension_count(dim)
    writer.add_rope_freq_base(config["rope_theta"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_vocab_size(config["vocab_size"])
    add_tokenizer(writer, json.loads((folder / "tokenizer.json").read_text()), config["vocab_size"])

    # There is no output matrix, so llama.cpp uses the embedding matrix for it, as Pocket does.
    writer.add_tensor("token_embd.weight", weights["embedding.weight"])
    writer.add_tensor("output_norm.weight", weights["final_norm.weight"])
    for layer in range(config["num_hidden_layers"]):
        ours, theirs = f"layers.{layer}", f"blk.{layer}"
        q, k, v = np.split(weights[f"{ours}.qkv.weight"], [heads * dim, (heads + kv_heads) * dim])
        gate, up = np.split(weights[f"{ours}.gate_up.weight"], 2)
        tensors = {
            "attn_norm": weights[f"{ours}.attention_norm.weight"],
            "attn_q": interleaved(q, heads),
            "attn_k": interleaved(k, kv_heads),
            "attn_v": v,
            "attn_output": weights[f"{ours}.output.weight"],
            "ffn_norm": weights[f"{ours}.mlp_norm.weight"],
            "ffn_gate": gate,
            "ffn_up": up,
            "ffn_down": weights[f"{ours}.down.weight"],
        }
        for name, tensor in tensors.items():
            writer.add_tensor(f"{theirs}.{name}.weight", np.ascontiguousarray(tensor))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def add_tokenizer(writer: gguf.GGUFWriter, tokenizer: dict, size: int) -> None:
    special = {token["id"] for token in tokenizer["added_tokens"]}
    tokens = [f"[unused{index}]" for index in range(size)]
    types = [gguf.TokenType.UNUSED] * size
    added = {token["content"]: token["id"] for token in tokenizer["added_tokens"]}
    for token, index in {**tokenizer["model"]["vocab"], **added}.items():
        tokens[index] = token
        types[index] = gguf.TokenType.CONTROL if index in special else gguf.TokenType.NORMAL
    writer.add_tokenizer_model("gpt2")
    # Splits digits one by one, and other text like GPT-2. Pocket's own pattern splits at more places, but no merge joins
    # text across them, so the tokens are the same.
    writer.add_tokenizer_pre("starcoder")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges([" ".join(pair) for pair in tokenizer["model"]["merges"]])
    writer.add_bos_token_id(END)
    writer.add_eos_token_id(END)
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHAT_TEMPLATE)


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))
