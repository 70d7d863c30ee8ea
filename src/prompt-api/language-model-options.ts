/**
 * The dictionaries of the Prompt API, as far as they are followed. Source: the specification,
 * github.com/webmachinelearning/prompt-api, `index.bs`, commit 2e27365 (2026-06-22).
 */

import type { SamplingMode } from './read-sampling.ts';

export type PromptRole = 'system' | 'user' | 'assistant';
export type PromptContentType = 'text' | 'image' | 'audio' | 'tool-call' | 'tool-response';
export type ModelAvailability = 'unavailable' | 'downloadable' | 'downloading' | 'available';

export interface PromptContent {
  readonly type: PromptContentType;
  /** A text, or an image: anything that can be drawn, or the bytes of a file. */
  readonly value: unknown;
}

export interface PromptMessage {
  readonly role: PromptRole;
  readonly content: string | Iterable<PromptContent>;
  /** Whether the answer begins with this message. Not followed. Default: false. */
  readonly prefix?: boolean;
}

/** A text stands for one message of the user. */
export type Prompt = string | Iterable<PromptMessage>;

export interface ExpectedContent {
  readonly type: PromptContentType;
  /** Language tags. They are checked; whether the model knows the language is not. */
  readonly languages?: Iterable<string>;
}

export interface AvailabilityOptions {
  readonly expectedInputs?: Iterable<ExpectedContent>;
  readonly expectedOutputs?: Iterable<ExpectedContent>;
  /** Tools are not called: a model with tools is unavailable. */
  readonly tools?: Iterable<object>;
  /** Default: `balanced`, the model's own temperature. */
  readonly samplingMode?: SamplingMode;
  /** Overrides the temperature of the sampling mode. */
  readonly temperature?: number;
  /** Default: no limit. */
  readonly topK?: number;
}

export interface CreateOptions extends AvailabilityOptions {
  /** Also destroys the session when it aborts later. */
  readonly signal?: AbortSignal;
  /** Gets an event target before `create()` begins, on which `downloadprogress` events report the loading of the model. */
  readonly monitor?: (monitor: EventTarget) => void;
  /** Messages before the first prompt, which are never dropped. */
  readonly initialPrompts?: Iterable<PromptMessage>;
}

export interface PromptOptions {
  /** A JSON Schema, or a regular expression without flags that matches the whole answer. */
  readonly responseConstraint?: object | null;
  /** No constraint is ever shown to the model, so this only is checked. Default: false. */
  readonly omitResponseConstraintInput?: boolean;
  readonly signal?: AbortSignal;
}
