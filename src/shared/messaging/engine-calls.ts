import type { CustomModel, ModelListing, StorageReport } from '../models/model-management.ts';
import type { OutsideRequest } from '../security/outside-requests.ts';
import type { Tokenization, TokenizeInput } from '../engine/tokenization.ts';

/**
 * The calls that a page or a service worker makes to the engine worker: name → parameters and result. They fail with
 * an ApiError: `invalid_type` for parameters that are not of the type below, `invalid_value` for what is of that type
 * and still cannot be, `model_not_found` for an id that is not known, `engine_unavailable` when the engine dies
 * meanwhile.
 */
export interface EngineCalls {
  /** Every model that this device has or could have. */
  'models/list': { parameters: null; result: readonly ModelListing[] };
  /** Reads the package's list of files, without downloading it, to learn its size; bytes. */
  'models/size': { parameters: { readonly id: string }; result: number };
  /** Starts, resumes or repairs. Comes back at once; progress arrives as model events. */
  'models/download': { parameters: { readonly id: string }; result: null };
  'models/pause': { parameters: { readonly id: string }; result: null };
  /** Ends a download and deletes what it had fetched. */
  'models/cancel': { parameters: { readonly id: string }; result: null };
  /** Deletes a model, unloading it first. */
  'models/delete': { parameters: { readonly id: string }; result: null };
  'models/add-custom': { parameters: CustomModel; result: null };
  /** Puts a model on the GPU, replacing any other of its kind, and comes back when it can answer. */
  'models/load': { parameters: { readonly id: string }; result: null };
  /** Frees the GPU of whatever models are on it. */
  'models/unload': { parameters: null; result: null };
  /** The tokens of a text or of a prompt, once the model is loaded. */
  'models/tokenize': {
    parameters: { readonly id: string; readonly input: TokenizeInput; readonly pieces: boolean };
    result: Tokenization;
  };
  /** The text of tokens, once the model is loaded. */
  'models/detokenize': { parameters: { readonly id: string; readonly tokens: readonly number[] }; result: string };
  /** The requests of the engine worker that left this origin. */
  'models/outside-requests': { parameters: null; result: readonly OutsideRequest[] };
  'models/storage': { parameters: null; result: StorageReport };
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

/** Engine worker → whoever called. The name is told again, so that the type of the value follows from the message. */
export interface EngineResultMessage<Name extends EngineCallName> {
  readonly type: 'result';
  readonly callId: string;
  readonly name: Name;
  readonly value: EngineCalls[Name]['result'];
}
