import type { CompletionRequest } from './completion-request.ts';

/**
 * Default `max_tokens` of text completions (`POST /completions`), as in the OpenAI API. Chat completions and responses
 * may fill the context window by default; a request to `POST /messages` must state a limit.
 */
export const TEXT_COMPLETION_MAX_TOKENS = 16;

/** The value of each optional field that a request does not set. Null leaves it to the engine that runs the model. */
export const REQUEST_DEFAULTS: Omit<CompletionRequest, 'model' | 'messages'> = {
  answerPrefix: '',
  /** No limit but the context window, which `generation-parameters.ts` and `to-llama-request.ts` apply. */
  maxTokens: null,
  temperature: null,
  topP: null,
  topK: null,
  minP: null,
  stop: [],
  stopTokens: [],
  ignoreEnd: false,
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
  loopDetection: true,
};
