import type { EmbeddingFacts, GgufFacts, WindowLimits } from './model-facts.ts';

/** A model that can be used on this device. `GET /v1/models` lists these. */
export interface ModelEntry {
  readonly id: string;
  /** Seconds since 1970; constant for a model. */
  readonly created: number;
  readonly ownedBy: string;
  /** Limit of prompt and completion together, in tokens. */
  readonly contextWindow: number;
  readonly vocabularySize: number;
  /** Used when a request gives no `temperature`. */
  readonly defaultTemperature: number;
  /** Used when a request gives no `top_p`. */
  readonly defaultTopP: number;
  readonly images: boolean;
  /** Markers around reasoning text; null for a model that does not reason. */
  readonly thinking: { readonly open: string; readonly close: string } | null;
  /**
   * What the model was trained to say to a question that it cannot answer. A model with this field declines, unasked, what
   * the built-in model cannot answer: large sums, and texts in other than Latin letters. Absent for most models.
   */
  readonly decline?: string;
  /** Set for an embedding or reranking model, absent for a chat model. */
  readonly embedding?: EmbeddingFacts;
  /** Set for a model that the site provides, absent for one that the user downloaded. */
  readonly ofSite?: true;
  /**
   * Address of a GGUF file with the same model as a package of WebLLM: llama.cpp runs it on the CPU if WebGPU is
   * missing. Absent if the package has no such file, or the site does not serve llama.cpp.
   */
  readonly ggufUrl?: string;
  /** `gguf` for a model that llama.cpp runs, `browser` for the browser's own; absent for one that WebLLM runs. */
  readonly format?: 'gguf' | 'browser';
  /**
   * Set by a site for a GGUF model whose file has no chat template. Absent for other models; {@link gguf} has the fact for
   * a model that the user downloaded.
   */
  readonly chatTemplate?: false;
  /** How many requests llama.cpp answers at once with a GGUF model. Absent: 1. */
  readonly parallel?: number;
  /**
   * Seconds after the last request, or after the load, until the model is unloaded. 0: after each answer. Negative or
   * absent: it stays loaded.
   */
  readonly keepAlive?: number;
  /**
   * Bits of a number in the KV cache of a GGUF model that the CPU runs. Absent: 16 if the model has sliding attention and
   * no image encoder, else 8 where the model's shape allows it.
   */
  readonly cacheBits?: 8 | 16;
  /**
   * What the package's configuration says about the context window. Absent for a GGUF model, and if the window is
   * fixed.
   */
  readonly window?: WindowLimits;
  /** What the header of a GGUF model's file says. Absent if only the site's options describe the model. */
  readonly gguf?: GgufFacts;
  /**
   * Base address of the package: `mlc-chat-config.json`, weights and tokenizer lie below it. For a GGUF model, the
   * address of its file; empty for the browser's own model.
   */
  readonly modelUrl: string;
  /** Address of the model library (`.wasm`); empty unless WebLLM runs the model. */
  readonly libraryUrl: string;
  /** Address of the file with a GGUF model's image encoder. Absent if the model takes no images. */
  readonly mmproj?: string;
}
