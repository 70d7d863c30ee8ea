import { ApiError } from '../../shared/api-error.ts';
import { contextLengthExceeded } from '../../shared/engine/engine-errors.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { say } from '../strings/say.ts';
import { raisedByTemplate, sentenceOf } from './complaints.ts';

/** Matches messages about faults that no field of the request causes. Source: `server-context.cpp`. */
const OWN_FAULTS = /^(?:compute error|failed to (?:decode|process)|.*memory slot)/i;

/**
 * Converts an error by which llama.cpp refused a request to an ApiError with llama.cpp's own sentence.
 * @param param The request field that holds the prompt.
 * @param hasLogprobs Whether llama.cpp reports log-probabilities.
 */
export function generationError(thrown: unknown, model: ModelEntry, param: string, hasLogprobs: boolean): ApiError {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (
    /exceeds? the (available )?context|context size has been exceeded|too large to process|larger than the max context/i.test(
      message,
    )
  ) {
    const [tokens] = /\d+(?= tokens)/.exec(message) ?? [];
    return contextLengthExceeded(model, tokens ?? `more than ${model.contextWindow}`, { param, cause: thrown });
  }
  // wllama 3.13 fails with this message if it must write the log-probability of a token that is a part of a character.
  if (hasLogprobs && /invalid UTF-8|incomplete UTF-8/i.test(message)) {
    return new ApiError(
      'unsupported_value',
      '`logprobs`: llama.cpp in WebAssembly cannot report the tokens of a character that takes several, such as 漢 or 😀. Leave it out.',
      { param: 'logprobs', cause: thrown },
    );
  }
  const raised = raisedByTemplate(message);
  if (raised !== null) {
    const sentence = `\`${param}\`: the chat template of ${model.id} refuses them: ${raised}`;
    return new ApiError('invalid_value', sentence, { param, cause: thrown });
  }
  if (OWN_FAULTS.test(message)) {
    return new ApiError('engine_unavailable', say('llamaCppStopped', sentenceOf(message)), {
      retryAfter: 1,
      cause: thrown,
    });
  }
  if (/^.*(?:grammar|schema)/i.test(message)) {
    return new ApiError('invalid_value', `\`response_format\`: llama.cpp cannot use it: ${sentenceOf(message)}`, {
      param: 'response_format',
      cause: thrown,
    });
  }
  return new ApiError('invalid_value', `llama.cpp refuses the request: ${sentenceOf(message)}`, {
    param,
    cause: thrown,
  });
}
