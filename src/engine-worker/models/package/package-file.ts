/** Caches that WebLLM 0.2.86 reads by default, by file kind. */
export const MODEL_CACHES = { weights: 'webllm/model', config: 'webllm/config', library: 'webllm/wasm' } as const;
type ModelCacheName = (typeof MODEL_CACHES)[keyof typeof MODEL_CACHES];

export const FILE_KINDS = {
  json: 'application/json',
  wasm: 'application/wasm',
  data: 'application/octet-stream',
} as const;

export interface PackageFile {
  /** Display name, relative to the package. */
  readonly name: string;
  /** URL and cache key. */
  readonly url: string;
  readonly cache: ModelCacheName;
  readonly kind: keyof typeof FILE_KINDS;
  /** Exact size; null if not stated. */
  readonly bytes: number | null;
  /** Lower-case hex MD5; null if not stated. */
  readonly md5: string | null;
}
