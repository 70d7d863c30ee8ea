import { ApiError, type ApiErrorData } from '../../shared/api-error.ts';
import type { EngineStatus, PromptCacheUse } from '../../shared/engine/engine.ts';
import { statusStrings, unsupportedStrings } from '../strings/status.ts';

/** Why Tabserve cannot run at all in this browser, or, for `no-window`, in this script: it is not a page's. */
export type UnsupportedReason = 'no-window' | 'insecure-context' | 'no-service-worker' | 'no-webgpu';

/** What a page can tell its user. `message` is a sentence for that user in every state. */
export type PageStatus =
  /** Nothing here will work until the person changes something; `message` says what. */
  | { readonly state: 'unsupported'; readonly reason: UnsupportedReason; readonly message: string }
  /** Service worker and engine are being brought up. */
  | { readonly state: 'starting'; readonly message: string }
  /** Everything is up and no model is loaded; the first request, or `load()`, loads one. */
  | { readonly state: 'idle'; readonly message: string; readonly keepsNothing?: true; readonly warning?: string }
  /** `progress` is the share 0…1. */
  | { readonly state: 'loading'; readonly model: string; readonly progress: number; readonly message: string }
  /**
   * `model` writes, unless only `embeddingModel` is loaded, which is there whenever an embedding model is loaded.
   * `gpu` describes the graphics adapter in a few words. `promptCache` tells how much of the prompts need not be read, and
   * changes after every answer. `keepsNothing` is there, here and while idle, where the browser
   * does not open the site's database: `message` then says what that means. `warning`, here and while idle, is a sentence
   * for whoever builds the site: its scripts are of different versions, though they still understand each other.
   */
  | {
      readonly state: 'ready';
      readonly model: string;
      readonly embeddingModel?: string;
      readonly gpu: string;
      readonly promptCache: PromptCacheUse;
      readonly message: string;
      readonly keepsNothing?: true;
      readonly warning?: string;
    }
  /** `retry()` may help. `message` names the file where a file is to blame. */
  | {
      readonly state: 'failed';
      /** The model that failed to load; null where it was not a model. */
      readonly model: string | null;
      readonly error: ApiErrorData;
      readonly message: string;
    };

export const STARTING: PageStatus = { state: 'starting', message: statusStrings.starting };

export function unsupportedStatus(reason: UnsupportedReason): PageStatus {
  const message = unsupportedStrings[reason].replace('{page}', globalThis.location?.href);
  return { state: 'unsupported', reason, message };
}

/** What a failure to bring the endpoint up means to the person in front of the page. */
export function failureStatus(error: ApiError, model: string | null = null): PageStatus {
  if (error.code === 'gpu_unavailable') return unsupportedStatus('no-webgpu');
  return { state: 'failed', model, error: error.toData(), message: error.message };
}

/**
 * What the engine says about itself, with a sentence for that person.
 * @param keepsNothing Whether the browser does not open the site's database.
 * @param warning For whoever builds the site. Default: null, none.
 */
export function engineStatus(status: EngineStatus, keepsNothing: boolean, warning: string | null = null): PageStatus {
  const note = (message: string) => ({
    ...(keepsNothing ? { message: `${message} ${statusStrings.keepsNothing}`, keepsNothing } : { message }),
    ...(warning !== null && { warning }),
  });
  switch (status.state) {
    case 'idle':
      return { state: 'idle', ...note(statusStrings.idle) };
    case 'loading': {
      const { model, progress, text } = status;
      return { state: 'loading', model, progress, message: text };
    }
    case 'ready':
      return { ...status, ...note(statusStrings.ready(status.model)) };
    case 'failed':
      return failureStatus(ApiError.fromData(status.error), status.model);
  }
}
