/** A JSON Schema as plain data, already checked by the HTTP layer. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart {
  readonly type: 'image';
  /** A `data:image/…` or http(s) address. */
  readonly url: string;
}

/** A finished tool call of an earlier assistant turn. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The JSON text, unparsed; of a custom tool its input, any text. */
  readonly arguments: string;
  /** Whether a custom tool was called. Absent for a function. */
  readonly custom?: true;
}

/**
 * One turn, in the reduced form every engine gets: `developer` has become `system`, `function` has become
 * `tool`, arrays of text parts have been joined with one line feed, `name` is gone.
 */
export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly (TextPart | ImagePart)[] }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly content: string; readonly toolCallId: string };

export interface Tool {
  readonly name: string;
  readonly description: string | null;
  /** Schema of the arguments object; null means any object. */
  readonly parameters: JsonSchema | null;
  /** What makes it a custom tool, whose input is text and which has no parameters. Absent for a function. */
  readonly custom?: {
    /** Regular expression of the whole input; null means any text. */
    readonly pattern: string | null;
  };
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | { readonly type: 'json_schema'; readonly schema: JsonSchema | null };

/** Text, in which control markers count, or tokens, which are taken as they are. Not empty, but for a text. */
export type RawPrompt = string | readonly number[];

/** What is continued as it is, without a chat template. */
export interface RawPrompts {
  /** At least one. Each gets `choices` choices: choice c of prompt p has the index p × choices + c. */
  readonly prompts: readonly RawPrompt[];
  /** What follows the text that is to be written; null for nothing. */
  readonly suffix: string | null;
  /** Whether each choice repeats its prompt first. */
  readonly echo: boolean;
}

/** What vectors are computed of. */
export interface EmbeddingInputs {
  /** At least one, none of them empty. In a text control markers are the characters they are written with. */
  readonly inputs: readonly RawPrompt[];
  /** Numbers in each vector; null means all that the model has. */
  readonly dimensions: number | null;
}

/** Which of so many inputs an error is about: the field itself where there is only one. */
export function inputPath(index: number, { length }: EmbeddingInputs['inputs']): string {
  return length === 1 ? 'input' : `input[${index}]`;
}

/**
 * A completion as the engine gets it: validated, normalised, plain data. `null` always means "the
 * caller did not say"; the model's own default applies.
 */
export interface CompletionRequest {
  /** Canonical model id (aliases are resolved). */
  readonly model: string;
  /** The conversation to be continued; empty where there are raw prompts or inputs of embeddings. */
  readonly messages: readonly ChatMessage[];
  /** Absent for a conversation. */
  readonly raw?: RawPrompts;
  /** Instead of writing, an embedding model computes a vector of each. Absent for everything that is written. */
  readonly embed?: EmbeddingInputs;
  /** Leaves out the oldest messages of a conversation that does not fit. Default: it is refused. */
  readonly truncation?: 'auto';
  /** Most tokens to sample per choice, none only for raw prompts; null means up to the context window. */
  readonly maxTokens: number | null;
  /** 0…2, 0 is greedy. */
  readonly temperature: number | null;
  /** 0…1, 0 is greedy. */
  readonly topP: number | null;
  /** 0…4 non-empty texts; generation ends before the earliest occurrence of any of them. */
  readonly stop: readonly string[];
  /** Any integer. */
  readonly seed: number | null;
  readonly presencePenalty: number | null;
  readonly frequencyPenalty: number | null;
  readonly repetitionPenalty: number | null;
  /** Number of choices, 1…128; of each prompt, where they are raw. */
  readonly choices: number;
  readonly logprobs: boolean;
  /** 0…20; an engine may give fewer. */
  readonly topLogprobs: number;
  /** Token id → bias −100…100; null when empty. */
  readonly logitBias: Readonly<Record<string, number>> | null;
  readonly responseFormat: ResponseFormat;
  /** Empty when the caller gave none or chose `none`. */
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean;
  /** False switches thinking off where the model can. */
  readonly thinking: boolean | null;
}

/** A request that says nothing: what a route lacks, and callers leave out. */
export const UNSPECIFIED_REQUEST: Omit<CompletionRequest, 'model' | 'messages'> = {
  maxTokens: null,
  temperature: null,
  topP: null,
  stop: [],
  seed: null,
  presencePenalty: null,
  frequencyPenalty: null,
  repetitionPenalty: null,
  choices: 1,
  logprobs: false,
  topLogprobs: 0,
  logitBias: null,
  responseFormat: { type: 'text' },
  tools: [],
  toolChoice: 'auto',
  parallelToolCalls: true,
  thinking: null,
};
