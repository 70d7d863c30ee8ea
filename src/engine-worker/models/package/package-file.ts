/**
 * The cache for each kind of file. All but `gguf` are WebLLM 0.2.86's default caches; an entry in `gguf` marks a
 * complete GGUF file.
 */
export const MODEL_CACHES = {
  weights: 'webllm/model',
  config: 'webllm/config',
  library: 'webllm/wasm',
  gguf: 'tabserve/gguf',
} as const;
type ModelCacheName = (typeof MODEL_CACHES)[keyof typeof MODEL_CACHES];

export const FILE_KINDS = {
  json: 'application/json',
  wasm: 'application/wasm',
  data: 'application/octet-stream',
  gguf: 'application/octet-stream',
} as const;

export interface PackageFile {
  /** Name to show to the user, relative to the package. */
  readonly name: string;
  /** Address, which is also the key in the cache. */
  readonly url: string;
  readonly cache: ModelCacheName;
  /** A `gguf` file is stored in pieces, because an entry of Chromium's caches can hold at most 2 GB. */
  readonly kind: keyof typeof FILE_KINDS;
  /** Exact size; null if the package does not state it. */
  readonly bytes: number | null;
  /** Lower-case hex MD5; null if the package does not state it. */
  readonly md5: string | null;
  /** Lower-case hex SHA-256, of a `gguf` file whose publisher states it. Default: not checked. */
  readonly sha256?: string | null;
}
