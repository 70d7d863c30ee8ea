import { ApiError, type ApiErrorData } from '../../shared/api-error.ts';
import type { CodedSentence } from '../../shared/coded-sentence.ts';
import type { EngineStatus, ExtensionStatus, PromptCacheUse } from '../../shared/engine/engine.ts';
import { isOnProcessor } from '../../shared/engine/is-on-processor.ts';
import type { HubFault } from '../hub-messages.ts';
import { statusStrings, unsupportedStrings } from '../strings/page-status-strings.ts';

/** Why Tabserve cannot run in this browser. `no-window`: the script does not run in a page. */
export type UnsupportedReason = 'no-window' | 'insecure-context' | 'no-service-worker' | 'no-webgpu';

/** How this page uses the hub that `register()` was given. */
export interface HubState {
  /** Address of the hub. */
  readonly address: string;
  /** Why the site's own engine answers in place of the hub's; null if the hub's does. */
  readonly fault: HubFault | null;
  /** The fault as a sentence for the user, in German on a German page; empty without a fault. */
  readonly message: string;
}

/**
 * State of the endpoint on this page. `hub` is set if `register()` was given one. `message` is a sentence for the user.
 *
 * `keepsNothing` is set if the browser cannot open the site's database; `message` then says what is missing. `warning`
 * is a sentence for the site's developer. It is set if the site's scripts have different but compatible versions, or if a
 * newer service worker does not take over.
 */
export type PageStatus =
  /** The endpoint cannot run until the user changes the browser or the page's address; `message` says how. */
  | { readonly state: 'unsupported'; readonly reason: UnsupportedReason; readonly message: string }
  /** Service worker and engine are starting. */
  | { readonly state: 'starting'; readonly message: string }
  /** No model is loaded; the first request, or `load()`, loads one. */
  | {
      readonly state: 'idle';
      readonly message: string;
      readonly keepsNothing?: true;
      readonly warning?: string;
      readonly hub?: HubState;
    }
  /**
   * A model is being loaded. `progress` is 0…1. `sentences` are those of the message, for a page of another language;
   * the engine of another build may send none.
   */
  | {
      readonly state: 'loading';
      readonly model: string;
      readonly progress: number;
      readonly message: string;
      readonly sentences?: readonly CodedSentence[];
    }
  /**
   * A model is loaded. `model` is the chat model, or the embedding model if only that is loaded. `embeddingModel` is
   * set if one is loaded. `gpu` describes the graphics adapter. `engine` names the engine and the device that run the
   * chat model, such as `llama.cpp; cpu; threads=2` or `llama.cpp; gpu; nvidia`. `promptCache` changes after every completion. `extensions` lists
   * the run-time extensions of WebLLM, with the reason for each that is off.
   */
  | {
      readonly state: 'ready';
      readonly model: string;
      readonly embeddingModel?: string;
      readonly gpu: string;
      readonly engine?: string;
      readonly promptCache: PromptCacheUse;
      readonly extensions: readonly ExtensionStatus[];
      readonly message: string;
      readonly keepsNothing?: true;
      readonly warning?: string;
      readonly hub?: HubState;
    }
  /** The endpoint failed to start, or a model failed to load. `retry()` may help. */
  | {
      readonly state: 'failed';
      /** The model that failed to load; null for other failures. */
      readonly model: string | null;
      readonly error: ApiErrorData;
      readonly message: string;
    };

export const STARTING: PageStatus = { state: 'starting', message: statusStrings.starting };

export function unsupportedStatus(reason: UnsupportedReason): PageStatus {
  const message = unsupportedStrings[reason].replace('{page}', globalThis.location?.href);
  return { state: 'unsupported', reason, message };
}

/** Status of an endpoint that failed to start, or of a model that failed to load. */
export function failureStatus(error: ApiError, model: string | null = null): PageStatus {
  if (error.code === 'gpu_unavailable') return unsupportedStatus('no-webgpu');
  return { state: 'failed', model, error: error.toData(), message: error.message };
}

/**
 * Converts the engine's status to the page's status, which has a sentence for the user.
 * @param keepsNothing See {@link PageStatus}.
 * @param warning See {@link PageStatus}; null if there is none.
 * @param hub Null if the site names none.
 */
export function engineStatus(
  status: EngineStatus,
  keepsNothing: boolean,
  warning: string | null = null,
  hub: HubState | null = null,
): PageStatus {
  const note = (message: string) => ({
    ...(keepsNothing ? { message: `${message} ${statusStrings.keepsNothing}`, keepsNothing } : { message }),
    ...(warning !== null && { warning }),
    ...(hub !== null && { hub }),
  });
  switch (status.state) {
    case 'idle':
      return { state: 'idle', ...note(statusStrings.idle) };
    case 'loading': {
      const { text: message, ...loading } = status;
      return { ...loading, message };
    }
    case 'ready':
      return {
        ...status,
        ...note(
          statusStrings.ready(status.model) + (isOnProcessor(status.engine) ? ` ${statusStrings.onProcessor}` : ''),
        ),
      };
    case 'failed':
      return failureStatus(ApiError.fromData(status.error), status.model);
  }
}
