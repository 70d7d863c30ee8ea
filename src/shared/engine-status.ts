import type { ApiErrorData } from './api-error.ts';

/** What the engine worker says about itself to every page. */
export type EngineStatus =
  | { readonly state: 'idle' }
  | { readonly state: 'loading'; readonly model: string; readonly progress: number; readonly text: string }
  | { readonly state: 'ready'; readonly model: string; readonly gpu: string }
  | { readonly state: 'failed'; readonly model: string | null; readonly error: ApiErrorData };
