import type { CompletionRequest } from '../../src/shared/completion-request.ts';

/** A request that says `text` to `model` and leaves everything else to the defaults. */
export function completionRequest(text: string, model = 'a'): CompletionRequest {
  return {
    model,
    messages: [{ role: 'user', content: text }],
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
}
