/** A JSON Schema as plain data, validated by the service worker. */
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

/** A complete tool call of an earlier assistant message. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as unparsed JSON text, or a custom tool's free-form input. */
  readonly arguments: string;
  /** Set for a custom tool; absent for a function. */
  readonly custom?: true;
}

/**
 * A message in normalised form: `developer` is `system`, `function` is `tool`, arrays of text parts are joined by a
 * line feed, and `name` is dropped.
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
  /** Whether the grammar must follow the whole schema, or the request is refused. Default: false. */
  readonly strict?: true;
  /**
   * What the grammar follows instead of `parameters`, without `strict`: a part of it that can be compiled in time.
   * Default: all of it that can be followed.
   */
  readonly bound?: JsonSchema;
  /** Set for a custom tool, which has text as its input and no parameters. Absent for a function. */
  readonly custom?: {
    /** Regular expression that must match the whole input; null means any text. */
    readonly pattern: string | null;
  };
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly schema: JsonSchema | null;
      /** Path of the request field that errors name. Default: `response_format…`, as in the OpenAI API. */
      readonly param?: string;
    }
  /** The whole answer must match a regular expression. */
  | { readonly type: 'regex'; readonly pattern: string; readonly param: string }
  /** The answer must follow a grammar in GBNF. */
  | { readonly type: 'grammar'; readonly grammar: string; readonly param: string }
  /** The answer must be one of these texts. */
  | { readonly type: 'choice'; readonly choices: readonly string[] };

/** A text, or at least one token id. */
export type RawPrompt = string | readonly number[];

/** Prompts that are continued without a chat template. Special tokens in a text are recognised. */
export interface RawPrompts {
  /** At least one prompt. Each gets `choices` choices: choice c of prompt p has the index p × choices + c. */
  readonly prompts: readonly RawPrompt[];
  /** Text that follows the completion (fill in the middle); null if there is none. */
  readonly suffix: string | null;
  /** Whether each choice begins with its prompt. */
  readonly echo: boolean;
  /**
   * End of the prompts that `responseFormat` constrains together with the completion, as if the model had written it.
   * Default: nothing.
   */
  readonly constraintPrefix?: string;
}

export interface EmbeddingInputs {
  /**
   * At least one input; no input is empty. Special tokens in a text are treated as plain characters. For a reranking
   * model, the query and then the documents.
   */
  readonly inputs: readonly string[];
  /** Length of each vector; null for the model's own. */
  readonly dimensions: number | null;
}

/** Returns the request path of one embedding input, for an error's `param`. A single input has no index. */
export function inputPath(index: number, { length }: readonly unknown[]): string {
  return length === 1 ? 'input' : `input[${index}]`;
}

/**
 * A validated and normalised request for the engine. `null` means that the caller did not set the field; the model's
 * default applies.
 */
export interface CompletionRequest {
  /** Canonical model id (aliases are resolved). */
  readonly model: string;
  /** The conversation; empty if `raw` or `embed` is set. */
  readonly messages: readonly ChatMessage[];
  /** Prompts of a text completion; absent for other requests. */
  readonly raw?: RawPrompts;
  /** Inputs of an embedding request; absent for other requests. */
  readonly embed?: EmbeddingInputs;
  /**
   * The beginning of the answer, which the model continues and the answer does not repeat. It is no part of `messages`,
   * and `responseFormat` constrains it together with the rest. Empty: the model begins the answer itself.
   */
  readonly answerPrefix: string;
  /** Drops the oldest messages of a conversation that exceeds the context window. Default: such a request fails. */
  readonly truncation?: 'auto';
  /** Limit of sampled tokens per choice; 0 only with `raw`. Null means up to the context window. */
  readonly maxTokens: number | null;
  /** Sampling temperature, 0…2; 0 means greedy sampling. */
  readonly temperature: number | null;
  /** Nucleus sampling threshold, 0…1; 0 means greedy sampling. */
  readonly topP: number | null;
  /** Samples only from this many of the most likely tokens, at least 1. Null means from all. */
  readonly topK: number | null;
  /**
   * Samples only from tokens that are at least this many times as likely as the likeliest one, 0…1, after `temperature`
   * and before `topK` and `topP`. Null means from all.
   */
  readonly minP: number | null;
  /** Non-empty stop sequences, at most 64; a choice ends before the first occurrence of any of them. */
  readonly stop: readonly string[];
  /** Token ids, at most 64; a choice ends before the first of them. */
  readonly stopTokens: readonly number[];
  /** Whether the model may not end its turn, so that a limit or a stop sequence must end the answer. */
  readonly ignoreEnd: boolean;
  /** Seed of the sampler, any integer; null means a random one. */
  readonly seed: number | null;
  readonly presencePenalty: number | null;
  readonly frequencyPenalty: number | null;
  readonly repetitionPenalty: number | null;
  /** Number of choices, 1…128; with `raw`, of each prompt. */
  readonly choices: number;
  readonly logprobs: boolean;
  /** How many of the most likely tokens are reported at each position, 0…20. An engine may return fewer. */
  readonly topLogprobs: number;
  /** Token id → bias −100…100; null when empty. */
  readonly logitBias: Readonly<Record<string, number>> | null;
  readonly responseFormat: ResponseFormat;
  /** The tools that the model may call. Empty if the request has none or sets `tool_choice` to `none`. */
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean;
  /** Switches thinking on or off, if the model supports that. Null leaves it to the model. */
  readonly thinking: boolean | null;
  /**
   * Seconds without requests after which the model is unloaded, in place of {@link ModelEntry.keepAlive}, until the next
   * request. No engine reads it. Default: that of the model.
   */
  readonly keepAlive?: number;
  /**
   * Only requests with the same value share prompt caches. The engine sets it for each site that uses it through a hub, so
   * that no site can find out by the time of an answer what another has asked. Default: that of all other requests.
   */
  readonly cacheScope?: string;
  /** Whether to end an answer when the model repeats itself endlessly. */
  readonly loopDetection: boolean;
}
