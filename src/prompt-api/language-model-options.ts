/**
 * The supported part of the Prompt API's dictionaries. Source: the specification,
 * github.com/webmachinelearning/prompt-api, `index.bs`, commit 2e27365 (2026-06-22).
 */

export type PromptRole = 'system' | 'user' | 'assistant';
export type PromptContentType = 'text' | 'image' | 'audio' | 'tool-call' | 'tool-response';
export type SamplingMode =
  | 'most-predictable'
  | 'predictable'
  | 'slightly-predictable'
  | 'balanced'
  | 'slightly-creative'
  | 'creative'
  | 'most-creative';
export type ModelAvailability = 'unavailable' | 'downloadable' | 'downloading' | 'available';

export interface PromptContent {
  readonly type: PromptContentType;
  /** A string for text. For an image, the bytes of a file or anything that can be drawn. */
  readonly value: unknown;
}

export interface PromptMessage {
  readonly role: PromptRole;
  readonly content: string | Iterable<PromptContent>;
  /**
   * Whether the model continues this message, which must be the last and have the role `assistant`. The answer does not
   * repeat the message. Cannot be combined with tools or images. Default: false.
   */
  readonly prefix?: boolean;
}

/** A function that the model may call. */
export interface LanguageModelTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of the type `object`. */
  readonly inputSchema: object;
  /**
   * Called with the arguments, an object that satisfies the schema. Several calls may run at the same time. The result
   * is converted to a string.
   */
  readonly execute: (parameters: never) => unknown;
}

/** A string stands for one message of the user. */
export type Prompt = string | Iterable<PromptMessage>;

export interface ExpectedContent {
  readonly type: PromptContentType;
  /** Language tags. Availability depends on them if it is known which languages the model knows. */
  readonly languages?: Iterable<string>;
}

export interface AvailabilityOptions {
  readonly expectedInputs?: Iterable<ExpectedContent>;
  readonly expectedOutputs?: Iterable<ExpectedContent>;
  /** Functions that the model may call while it answers. Default: none. */
  readonly tools?: Iterable<LanguageModelTool>;
  /** Default: `balanced`, which is the model's own temperature. */
  readonly samplingMode?: SamplingMode;
  /** Overrides the temperature of the sampling mode. */
  readonly temperature?: number;
  /** Limit of the most probable tokens from which the next one is sampled. Default: no limit. */
  readonly topK?: number;
}

export interface CreateOptions extends AvailabilityOptions {
  /** Aborts `create()`; if it aborts later, it destroys the session. */
  readonly signal?: AbortSignal;
  /**
   * Called with an event target before `create()` begins. `downloadprogress` events on it report the loading of the
   * model.
   */
  readonly monitor?: (monitor: EventTarget) => void;
  /** Messages before the first prompt. They are never dropped when the context window is full. */
  readonly initialPrompts?: Iterable<PromptMessage>;
}

export interface PromptOptions {
  /** A JSON Schema, or a regular expression without flags that matches the whole answer. */
  readonly responseConstraint?: object | null;
  /**
   * True requires a `responseConstraint`, and has no other effect, because constraints are never inserted into the
   * prompt. Default: false.
   */
  readonly omitResponseConstraintInput?: boolean;
  readonly signal?: AbortSignal;
}
