export interface EmbeddingFacts {
  /** Length of a vector. */
  readonly dimensions: number;
  /** Set if a vector may be truncated and normalised again (Matryoshka embeddings). */
  readonly shortens?: true;
  /** Set for a reranking model: it computes the relevance of a document to a query, one number, and no embeddings. */
  readonly ranks?: true;
}

/** The range of a model's context window, and the memory that it takes. */
export interface WindowLimits {
  /** Number of tokens that the model was trained for. */
  readonly most: number;
  /** Bytes of the KV cache per token; null if unknown. */
  readonly bytesPerToken: number | null;
  /** Number of layers that share these bytes; each has its own GPU buffer. Null if unknown. */
  readonly layers: number | null;
}

/** What the header of a GGUF file says about its model, and how large the model is. */
export interface GgufFacts {
  /** Architecture name in the file, such as `llama` or `qwen3`. */
  readonly architecture: string;
  /** The publisher's name of the model; null if the file has none. */
  readonly name: string | null;
  /** Licence as written in the file, such as `apache-2.0`; null if the file has none. */
  readonly licence: string | null;
  /** Number of weights; null if unknown. */
  readonly parameters: number | null;
  /** Format of the weights, such as `Q4_K_M`; null if unknown. */
  readonly quantization: string | null;
  /** Tokens that the model was trained with; null if unknown. */
  readonly contextLength: number | null;
  readonly hasChatTemplate: boolean;
  /** Size of all files in bytes, the image encoder included; null if the server does not report it. */
  readonly bytes: number | null;
  /** Size of the file with the image encoder in bytes. Absent if the model takes no images. */
  readonly mmprojBytes?: number;
  /** Bytes of the KV cache for one token of the context window; null if unknown. */
  readonly cacheBytesPerToken: number | null;
  /** Bytes of the KV cache that do not depend on the context window (sliding attention). Absent: none. */
  readonly slidingCacheBytes?: number;
  /** Set for an embedding or reranking model. Default: a chat model. */
  readonly embedding?: EmbeddingFacts;
  /** Hexadecimal SHA-256 that the publisher states; null if unknown, or if the model has several files. */
  readonly sha256: string | null;
  /** The same of each file of a split model, in order. Default: unknown. */
  readonly sha256OfParts?: readonly (string | null)[];
}
