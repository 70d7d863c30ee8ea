import type { ApiError } from '../../shared/api-error.ts';
import type { RawPrompt } from '../../shared/engine/completion-request.ts';
import { invalid, missing } from './checks.ts';
import type { Check } from './checks.ts';

/**
 * Reads prompts: a text, an array of texts, an array of token ids, or an array of arrays of token ids. `null` is the
 * empty prompt. A missing field is an error, unlike in the OpenAI API, because the request is probably meant for another
 * route.
 */
export const readPrompts: Check<readonly RawPrompt[]> = (value, param) => {
  if (value === undefined) throw missing(param);
  if (value === null) return [''];
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) throw wrongForm(param, value);
  const parts: readonly unknown[] = value;
  if (parts.length === 0) throw invalid('empty_array', param, 'a text, or an array that is not empty', value);
  if (typeof parts[0] === 'number') return [readTokens(parts, param)];
  return parts.map((part, index) => {
    const path = `${param}[${index}]`;
    if (typeof part === 'string') return part;
    if (!Array.isArray(part)) throw wrongForm(path, part);
    if (part.length === 0) throw invalid('empty_array', path, 'a text, or an array of at least one token', part);
    return readTokens(part, path);
  });
};

/**
 * Checks that an array consists of token ids, and returns it.
 * @throws ApiError for a value that cannot be a token id of any model.
 */
export function readTokens(tokens: readonly unknown[], param: string): readonly number[] {
  return tokens.map((token, index) => {
    if (typeof token === 'number' && Number.isInteger(token) && token >= 0 && token < 2 ** 31) return token;
    throw invalid('invalid_type', `${param}[${index}]`, 'a token, an integer from 0 on', token);
  });
}

function wrongForm(param: string, value: unknown): ApiError {
  return invalid('invalid_type', param, 'a text, an array of texts, an array of tokens, or an array of such', value);
}
