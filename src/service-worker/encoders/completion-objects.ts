import type { TokenLogprob, TopLogprob, Usage } from '../../shared/engine/completion-event.ts';
import type { ToolCall } from '../../shared/engine/completion-request.ts';

export function usageObject(usage: Usage): object {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

export function logprobsObject(tokens: readonly TokenLogprob[]): object {
  return { content: logprobObjects(tokens), refusal: null };
}

export function logprobObjects(tokens: readonly TokenLogprob[]): object[] {
  return tokens.map((token) => ({ ...topLogprob(token), top_logprobs: token.topLogprobs.map(topLogprob) }));
}

/** An entry of `tool_calls` in an assistant message. */
export function toolCallObject({ id, name, arguments: text, custom }: Omit<ToolCall, 'custom'> & { custom?: boolean }) {
  return custom === true
    ? { id, type: 'custom', custom: { name, input: text } }
    : { id, type: 'function', function: { name, arguments: text } };
}

function topLogprob({ token, logprob, bytes }: TopLogprob): object {
  return { token, logprob, bytes };
}

/**
 * Returns the field that marks a choice that ended because the model repeated itself endlessly. The field is vLLM's.
 */
export function stuck(isStuck: boolean | undefined): { stop_reason?: 'repetition' } {
  return isStuck ? { stop_reason: 'repetition' } : {};
}
