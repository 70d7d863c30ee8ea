/** What is told of a model that computes embeddings. */
interface EmbeddingFacts {
  /** Numbers in a vector. */
  readonly dimensions: number;
  /** Whether the first numbers of a vector, brought to length 1 again, are a vector too. Default: they are not. */
  readonly shortens?: true;
}

/** A model that can answer on this device, as plain data. `GET /v1/models` lists these. */
export interface ModelEntry {
  readonly id: string;
  /** Seconds since 1970; constant for a model. */
  readonly created: number;
  readonly ownedBy: string;
  /** Tokens, prompt and answer together. */
  readonly contextWindow: number;
  readonly vocabularySize: number;
  /** Used when a request gives no `temperature`. */
  readonly defaultTemperature: number;
  /** Used when a request gives no `top_p`. */
  readonly defaultTopP: number;
  readonly images: boolean;
  /** Markers around thinking text, when the model thinks. */
  readonly thinking: { readonly open: string; readonly close: string } | null;
  /** Absent for a model that writes; one that computes embeddings writes nothing. */
  readonly embedding?: EmbeddingFacts;
  /** The site brings it with it: it needs no download before it is used. Default: somebody has downloaded it. */
  readonly ofSite?: true;
  /** Base address of the package: `mlc-chat-config.json`, weights and tokenizer lie below it. */
  readonly modelUrl: string;
  /** Address of the model library (`.wasm`). */
  readonly libraryUrl: string;
}
