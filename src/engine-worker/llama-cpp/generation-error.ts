import { ApiError } from '../../shared/api-error.ts';
import { contextLengthExceeded } from '../../shared/engine/engine-errors.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';

/**
 * Converts an error by which llama.cpp refused a request to an ApiError.
 * @param param The request field that holds the prompt.
 * @param logprobs Whether the request wants log-probabilities.
 */
export function generationError(thrown: unknown, model: ModelEntry, param: string, logprobs: boolean): ApiError {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (/exceeds? the (available )?context|too large to process|larger than the max context/i.test(message)) {
    const [tokens] = /\d+(?= tokens)/.exec(message) ?? [];
    return contextLengthExceeded(model, tokens ?? `more than ${model.contextWindow}`, { param, cause: thrown });
  }
  // wllama 3.13 fails with these messages if it must write the log-probability of a token that is a part of a
  // character.
  if (logprobs && /typed array length|invalid UTF-8/i.test(message)) {
    return new ApiError(
      'unsupported_value',
      '`logprobs`: llama.cpp in WebAssembly cannot tell them for a character that takes several tokens, such as 漢 or 😀. Leave them out.',
      { param: 'logprobs', cause: thrown },
    );
  }
  if (/grammar|schema/i.test(message)) {
    return new ApiError('invalid_value', `\`response_format\`: llama.cpp cannot use it: ${message}`, {
      param: 'response_format',
      cause: thrown,
    });
  }
  return new ApiError('invalid_value', `llama.cpp refuses the request: ${message}`, { param, cause: thrown });
}
