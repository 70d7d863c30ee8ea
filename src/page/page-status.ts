import type { ApiErrorData } from '../shared/api-error.ts';

/** Why this browser cannot run Tabserve at all. */
export type UnsupportedReason = 'insecure-context' | 'no-service-worker' | 'no-webgpu';

/** What a page can tell its user. `message` is a sentence for that user in every state. */
export type PageStatus =
  /** Nothing here will work until the person changes something; `message` says what. */
  | { readonly state: 'unsupported'; readonly reason: UnsupportedReason; readonly message: string }
  /** Service worker and engine are being brought up. */
  | { readonly state: 'starting'; readonly message: string }
  /** Everything is up and no model is loaded; the first request, or `load()`, loads one. */
  | { readonly state: 'idle'; readonly message: string }
  /** `progress` is the share 0…1. */
  | { readonly state: 'loading'; readonly model: string; readonly progress: number; readonly message: string }
  /** `gpu` describes the graphics adapter in a few words. */
  | { readonly state: 'ready'; readonly model: string; readonly gpu: string; readonly message: string }
  /** `retry()` may help. `message` names the file where a file is to blame. */
  | {
      readonly state: 'failed';
      /** The model that failed to load; null where it was not a model. */
      readonly model: string | null;
      readonly error: ApiErrorData;
      readonly message: string;
    };
