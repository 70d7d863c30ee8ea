"""Writes ``mlc-chat-config.json``, from which WebLLM and the model library read the package's properties."""
from __future__ import annotations

from typing import Any

from tokenizer import END

CONTEXT_WINDOW = 2048
PREFILL_CHUNK = 512


def chat_config(shape: dict[str, int | float], bits: int, group: int) -> dict[str, Any]:
    return {
        "model_type": "llama",
        "quantization": f"q{bits}f32",
        "model_config": {
            **shape,
            "context_window_size": CONTEXT_WINDOW,
            "prefill_chunk_size": PREFILL_CHUNK,
            "weight_bits": bits,
            "weight_group_size": group,
            "tie_word_embeddings": True,
        },
        "vocab_size": shape["vocab_size"],
        "context_window_size": CONTEXT_WINDOW,
        "sliding_window_size": -1,
        "attention_sink_size": -1,
        "prefill_chunk_size": PREFILL_CHUNK,
        "temperature": 0.3,
        "top_p": 0.95,
        "repetition_penalty": 1.0,
        "frequency_penalty": 0.0,
        "presence_penalty": 0.0,
        "bos_token_id": END,
        "eos_token_id": END,
        "pad_token_id": END,
        "tokenizer_files": ["tokenizer.json"],
        "tokenizer_info": {"token_postproc_method": "byte_level", "prepend_space_in_encode": False, "strip_space_in_decode": False},
        "conv_template": {
            "name": "pocket",
            "system_template": "<|system|>{system_message}<|end|>",
            "system_message": "",
            "render_empty_system_message": False,
            "add_role_after_system_message": True,
            "roles": {"user": "<|user|>", "assistant": "<|assistant|>", "tool": "<|tool|>"},
            "seps": ["<|end|>"],
            "role_content_sep": "",
            "role_empty_sep": "",
            "stop_str": [],
            "stop_token_ids": [END],
        },
    }
