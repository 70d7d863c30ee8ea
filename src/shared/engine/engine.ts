import type { ApiErrorData } from '../api-error.ts';
import type { CodedSentence } from '../coded-sentence.ts';
import type { CompletionEvent, GenerationEvent } from './completion-event.ts';
import type { CompletionRequest } from './completion-request.ts';
import type { EngineCallName, EngineCalls } from './engine-calls.ts';
import type { ModelEntry } from '../models/model-entry.ts';
import type { ModelKind } from '../models/model-kind.ts';
import type { ResumableStream } from '../http/resumable-stream.ts';
import type { TokenizeInput } from './tokenization.ts';

export interface LoadingProgress {
  /** Share of the loading that is complete, 0…1. */
  readonly progress: number;
  /** A sentence for a person, such as "Downloading the model, 3 of 8 MB". */
  readonly text: string;
  /** The same, for a page of another language. Default: the text has no code. */
  readonly sentences?: readonly CodedSentence[];
}

/**
 * Runs one chat model and one embedding model, one operation at a time, except that {@link Engine.parallel} generations
 * of the chat model may run together. Callers provide the queue, the event log and cancellation. Implementations: the
 * adapters of WebLLM, of llama.cpp and of the browser's own model, `EngineByFormat`, which chooses among them, and a
 * scripted engine in tests.
 */
export interface Engine {
  /**
   * Id of the loaded chat model, or null. Becomes null when the GPU device, or the page that runs the model, is lost.
   */
  readonly loadedModel: string | null;
  /** Id of the loaded embedding model, or null. Absent in an engine without embeddings. */
  readonly loadedEmbeddingModel?: string | null;
  /**
   * Loads a model in place of the loaded one of the same kind (chat or embedding). The model of the other kind stays
   * loaded unless the device lacks the memory for both. After a failure no model of this kind is loaded.
   * @throws ApiError such as `model_load_failed` or `gpu_unavailable` if loading fails; the signal's reason if it
   * aborts.
   */
  load(model: ModelEntry, report: (progress: LoadingProgress) => void, signal: AbortSignal): Promise<void>;
  /** Unloads the model of this kind. Default: all models. */
  unload(kind?: ModelKind): Promise<void>;
  /**
   * The engine and the device that run the loaded chat model, or the embedding model if only that is loaded, such as
   * `llama.cpp; cpu; threads=2` or `llama.cpp; gpu; nvidia`. Default: WebLLM, on the GPU.
   */
  readonly place?: string | undefined;
  /** How many calls of {@link generate} the loaded chat model accepts at once. Default: 1. */
  readonly parallel?: number;
  /** The extensions of the library that runs the loaded model; see {@link ExtensionStatus}. Default: none. */
  readonly extensions?: readonly ExtensionStatus[];
  /**
   * Checks a request before its turn in the queue and without loading its model, for instance its schemas. Default: no
   * check.
   * @throws ApiError for a request that {@link generate} would refuse.
   */
  check?(request: CompletionRequest): void;
  /**
   * Checks, without loading a model, that {@link tokenize} and {@link detokenize} can use it. Default: no check.
   * @throws ApiError
   */
  requireTokenizer?(model: ModelEntry): Promise<void>;
  /**
   * Generates text or computes embeddings. When `signal` aborts, or the iterator's `return()` is called, the engine
   * stops within one decode step or one prefill chunk and accepts the next call.
   * @throws ApiError if the request fails; before the first event if the failure is known by then.
   */
  generate(request: CompletionRequest, signal: AbortSignal): AsyncIterable<GenerationEvent>;
  /**
   * Tokenizes a text, or the rendered prompt of a conversation.
   * @param model Id of a loaded model. Default: the chat model.
   * @returns token ids, and `IMAGE_PLACE` for each position that an image occupies.
   * @throws ApiError for input that the model does not support.
   */
  tokenize(input: TokenizeInput, model?: string): Promise<readonly number[]>;
  /**
   * Converts token ids to text.
   * @param model Id of a loaded model. Default: the chat model.
   * @throws ApiError `invalid_value` for a token id outside the vocabulary.
   */
  detokenize(tokens: readonly number[], model?: string): string;
}

/**
 * Calls the engine on behalf of a request.
 * @throws ApiError if the call fails, or if no engine can be reached (such as `engine_unavailable`).
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
   * Identifies equal requests. Chromium repeats a fetch event once (POST included) if the service worker dies before it
   * sends the response headers. By this value the engine recognises the repetition and joins it to the running
   * completion.
   */
  readonly fingerprint: string;
  /** Milliseconds that the client waits for a model to load; null if the client sent no limit. */
  readonly holdTime: number | null;
  /** Absent if the response cannot be resumed. */
  readonly resumable?: ResumableStream;
  /** Whether all other requests are answered first, those that come later, too. Default: false. */
  readonly isBackground?: boolean;
  /** Id of the service worker's `Client`, the page that sent the request. This page is asked for the engine first. */
  readonly clientId?: string;
}

export interface CancelledStream {
  readonly streamId: string;
  /**
   * Whether the user or a client has deleted the stored answer. If so, the events so far must not be stored either.
   * Default: false.
   */
  readonly deleted?: boolean;
  /** Whether the completion continues if any client still reads it. Default: false. */
  readonly ifUnread?: boolean;
}

/**
 * Reason for cancelling a completion's stream after the connection to the client was lost, as opposed to a cancellation
 * by the client.
 */
export const CONNECTION_LOST = Symbol('connection lost');

/** Queueing, model loading and generation, as the HTTP layer uses them. */
export interface CompletionService {
  /**
   * Starts a completion or joins a running one. The stream delivers all events from the first, in batches, and closes
   * after `done` or `error`. It never errors: failures are `error` events. Cancelling the stream cancels the completion
   * at any stage, with three exceptions: the completion outlives its page, it has other subscribers, or it is resumable
   * and the reason is {@link CONNECTION_LOST}.
   */
  complete(request: CompletionRequest, options: CompletionOptions): ReadableStream<readonly CompletionEvent[]>;
  /**
   * Cancels the completion of a stream id, by default for all its subscribers. An unknown id is no error. Never rejects: if no
   * engine can be reached, the completion is not running.
   */
  cancelStream(stream: CancelledStream, asked: Pick<CompletionOptions, 'requestId' | 'clientId'>): Promise<void>;
}

/** One run-time change that Tabserve makes to the library that runs models (WebLLM), and whether it is in effect. */
export interface ExtensionStatus {
  readonly name: string;
  /** Why the extension does not apply to the loaded model; null if it does. */
  readonly off: string | null;
}

/** How many prompt tokens the prompt cache has saved. */
export interface PromptCacheUse {
  /** Tokens of all prompts since the model was loaded. */
  readonly promptTokens: number;
  /** Those of the `promptTokens` that were in a cached prefix, and so were not computed. */
  readonly cachedTokens: number;
  /** Why the cache is off, so that every prompt is prefilled from its start; null if it is on. */
  readonly off: string | null;
}

/** State of the engine worker, which it sends to every page. */
export type EngineStatus =
  | { readonly state: 'idle' }
  | ({ readonly state: 'loading'; readonly model: string } & LoadingProgress)
  /**
   * `model` is the chat model, or the embedding model if only that is loaded. `embeddingModel` is set if one is loaded.
   */
  | {
      readonly state: 'ready';
      readonly model: string;
      readonly embeddingModel?: string;
      readonly gpu: string;
      /** See {@link Engine.place}. */
      readonly engine?: string;
      /** See {@link Engine.parallel}. */
      readonly parallel?: number;
      readonly promptCache: PromptCacheUse;
      readonly extensions: readonly ExtensionStatus[];
    }
  | { readonly state: 'failed'; readonly model: string | null; readonly error: ApiErrorData };
