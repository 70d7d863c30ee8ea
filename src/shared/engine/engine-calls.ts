import type { DocumentCalls } from '../documents/document-calls.ts';
import type { HubCalls } from '../hub/hub-calls.ts';
import type { CustomModel, GgufOffer, ModelFiles, ModelListing, StorageReport } from '../models/model-management.ts';
import type { OutsideRequest } from '../security/outside-requests.ts';
import type { Tokenization, TokenizeInput } from './tokenization.ts';

/**
 * Calls from a page or a service worker to the engine worker: name → parameters and result. They fail with an ApiError:
 * `invalid_type` or `invalid_value` for wrong parameters, `model_not_found` for an unknown id, `engine_unavailable` if
 * the engine dies during the call.
 */
export interface EngineCalls extends DocumentCalls, HubCalls {
  /** Every model in the catalogue and on this device. */
  'models/list': { parameters: null; result: readonly ModelListing[] };
  /** Size of a download in bytes, from the package's list of files. */
  'models/size': { parameters: { readonly id: string }; result: number };
  /** Starts, resumes or repairs a download. Returns immediately; `ModelEvent`s report the progress. */
  'models/download': { parameters: { readonly id: string }; result: null };
  'models/pause': { parameters: { readonly id: string }; result: null };
  /** Cancels a download and deletes its files. */
  'models/cancel': { parameters: { readonly id: string }; result: null };
  /** Unloads and deletes a model. */
  'models/delete': { parameters: { readonly id: string }; result: null };
  /**
   * Reads the header of a GGUF model, given as an address typed by the user or as local files. `models/download` then
   * downloads the model.
   */
  'models/inspect-gguf': { parameters: { readonly from: string | readonly File[] }; result: GgufOffer };
  'models/set-context-window': { parameters: { readonly id: string; readonly tokens: number }; result: null };
  /** Sets how many requests a downloaded model answers at once. */
  'models/set-parallel': { parameters: { readonly id: string; readonly requests: number }; result: null };
  /** Sets how many seconds a downloaded model stays loaded after its last request. */
  'models/set-keep-alive': { parameters: { readonly id: string; readonly seconds: number }; result: null };
  'models/add-custom': { parameters: CustomModel; result: null };
  /** Loads a model in place of another of its kind (chat or embedding). Returns when it is ready. */
  'models/load': { parameters: { readonly id: string }; result: null };
  /**
   * Loads a model, unless one of its kind is loaded, any model is being loaded, or any request is running or waiting.
   */
  'models/preload': { parameters: { readonly id: string }; result: null };
  /** Unloads all models. */
  'models/unload': { parameters: null; result: null };
  /** Loads the model, then tokenizes a text or a rendered prompt. */
  'models/tokenize': {
    parameters: { readonly id: string; readonly input: TokenizeInput; readonly pieces: boolean };
    result: Tokenization;
  };
  /** Loads the model, then turns token ids into text. */
  'models/detokenize': { parameters: { readonly id: string; readonly tokens: readonly number[] }; result: string };
  /** Cross-origin requests of the engine worker. */
  'models/outside-requests': { parameters: null; result: readonly OutsideRequest[] };
  /** The files of a model on this device, for measurements with another library. */
  'models/files': { parameters: { readonly id: string }; result: ModelFiles };
  'models/storage': { parameters: null; result: StorageReport };
  /** Whether a stream can be resumed: it runs, or has ended and is still kept. */
  'streams/known': { parameters: { readonly id: string }; result: boolean };
}

export type EngineCallName = keyof EngineCalls;

/** Page or service worker → engine worker. */
export interface EngineCallMessage<Name extends EngineCallName> {
  readonly type: 'call';
  /** Unique among the calls of its sender. */
  readonly callId: string;
  readonly name: Name;
  readonly parameters: EngineCalls[Name]['parameters'];
}

/** Engine worker → caller. Repeats the name of the call, which determines the type of the value. */
export interface EngineResultMessage<Name extends EngineCallName> {
  readonly type: 'result';
  readonly callId: string;
  readonly name: Name;
  readonly value: EngineCalls[Name]['result'];
}
