import type { ApiErrorData } from '../api-error.ts';
import type { CompletionEvent, GenerationEvent } from './completion-event.ts';
import type { CompletionRequest } from './completion-request.ts';
import type { EngineCallName, EngineCalls } from '../messaging/engine-calls.ts';
import type { ModelEntry } from '../models/model-entry.ts';
import type { ResumableStream } from '../http/resumable-stream.ts';
import type { TokenizeInput } from './tokenization.ts';

export interface LoadingProgress {
  /** Share 0…1. */
  readonly progress: number;
  /** A sentence for a person, such as "Loading weights, 3 of 8 MB". */
  readonly text: string;
}

/**
 * What runs models: one that writes and, beside it, one that computes embeddings. It does one thing at a time; queue, event log and cancellation live around it, so an
 * implementation only translates. The WebLLM adapter is the real one; a scripted one drives tests.
 */
export interface Engine {
  /** Id of the model that can write now, or null. Turns null by itself when the device is lost. */
  readonly loadedModel: string | null;
  /** The same of the model that computes embeddings. Absent: there never is one. */
  readonly loadedEmbeddingModel?: string | null;
  /**
   * Makes `model` the loaded one of its kind, replacing any other of that kind; one of the other kind stays where the
   * device has room for both, and makes room where not. Rejects with an ApiError (`model_load_failed`,
   * `gpu_unavailable`, …); an aborted load rejects with the signal's reason and leaves nothing of that kind loaded.
   */
  load(model: ModelEntry, report: (progress: LoadingProgress) => void, signal: AbortSignal): Promise<void>;
  /** Frees whatever is loaded. */
  unload(): Promise<void>;
  /** Why the model that writes reads every prompt whole. Absent or null: it begins where a prompt differs from what it knows. */
  readonly promptCacheOff?: string | null;
  /**
   * Generates, or computes embeddings, with the loaded model of that kind. Throws an ApiError, before the first event where it can be known.
   * Stops within one decoding step, or one chunk of the prompt, when `signal` aborts or the iterator's `return()` is
   * called, and is then ready for the next call.
   */
  generate(request: CompletionRequest, signal: AbortSignal): AsyncIterable<GenerationEvent>;
  /**
   * The tokens of a loaded model for something; −1 for each place that an image takes. Rejects with an ApiError for what
   * this model cannot read.
   * @param model Its id. Default: that of the model that writes.
   */
  tokenize(input: TokenizeInput, model?: string): Promise<readonly number[]>;
  /** The text of tokens of such a model. Throws an ApiError `invalid_value` for one that it does not have. */
  detokenize(tokens: readonly number[], model?: string): string;
}

/**
 * Calls the engine for a request.
 * @throws ApiError what the call failed with; `engine_unavailable` and the like where there is no engine.
 */
export type CallEngine = <Name extends EngineCallName>(
  name: Name,
  parameters: EngineCalls[Name]['parameters'],
  options: Pick<CompletionOptions, 'requestId' | 'clientId'>,
) => Promise<EngineCalls[Name]['result']>;

export interface CompletionOptions {
  /** Unique per HTTP request. */
  readonly requestId: string;
  /**
   * Equal for a fetch event and its silent repetition by the browser after the service worker died
   * (Chromium repeats it once, POST included), so that the engine answers it once.
   */
  readonly fingerprint: string;
  /** Milliseconds that the client waits for a loading model; null where it does not say. */
  readonly holdTime: number | null;
  /** Absent for an answer that nobody wants to find again. */
  readonly resumable?: ResumableStream;
  /** Id of the service-worker client that asked; its window is the first to be asked for the engine. */
  readonly clientId?: string;
}

export interface CancelledStream {
  readonly streamId: string;
  /** Whether what was said until now is not to be stored either. */
  readonly deleted: boolean;
}

/** The whole service seen from HTTP: queue, loading and generation behind one call. */
export interface CompletionService {
  /**
   * Starts, or joins, the completion. The stream carries every event from the first one on, those together
   * that come together, and closes after `done` or `error`. It never errors: failures arrive as an `error`
   * event. Cancelling it ends the completion, wherever it stands, unless that outlives its page or has other subscribers.
   */
  complete(request: CompletionRequest, options: CompletionOptions): ReadableStream<readonly CompletionEvent[]>;
  /**
   * Ends the completion of a stream id, whoever has subscribed to it; an unknown id is no error. It never rejects: where
   * no engine can be reached, none runs it.
   */
  cancelStream(stream: CancelledStream, asked: Pick<CompletionOptions, 'requestId' | 'clientId'>): Promise<void>;
}

/** What the prompt cache has spared the loaded model. */
export interface PromptCacheUse {
  /** Tokens of all prompts since the model was loaded. */
  readonly promptTokens: number;
  /** Those of them that need not be read. */
  readonly cachedTokens: number;
  /** Why every prompt is read whole; null where none need be. */
  readonly off: string | null;
}

/** What the engine worker says about itself to every page. */
export type EngineStatus =
  | { readonly state: 'idle' }
  | { readonly state: 'loading'; readonly model: string; readonly progress: number; readonly text: string }
  /** `model` writes, or, where none that writes is loaded, is the `embeddingModel`; that is there where one is loaded. */
  | {
      readonly state: 'ready';
      readonly model: string;
      readonly embeddingModel?: string;
      readonly gpu: string;
      readonly promptCache: PromptCacheUse;
    }
  | { readonly state: 'failed'; readonly model: string | null; readonly error: ApiErrorData };
