/** The caches that WebLLM 0.2.86 reads with its default backend, by kind of file. */
export const MODEL_CACHES = { weights: 'webllm/model', config: 'webllm/config', library: 'webllm/wasm' } as const;
type ModelCacheName = (typeof MODEL_CACHES)[keyof typeof MODEL_CACHES];

export const FILE_KINDS = {
  json: 'application/json',
  wasm: 'application/wasm',
  data: 'application/octet-stream',
} as const;

/** A file of a model package: where it comes from and where WebLLM looks for it. */
export interface PackageFile {
  /** Name for people, relative to the package. */
  readonly name: string;
  /** Address, which is also the cache key. */
  readonly url: string;
  readonly cache: ModelCacheName;
  readonly kind: keyof typeof FILE_KINDS;
  /** Exact size, where the package tells. */
  readonly bytes: number | null;
  /** Lower-case hex MD5, where the package tells. */
  readonly md5: string | null;
}
