import { API_ERROR_CODES } from '../api-error.ts';

/** Statuses by the type of an error of the Messages API, for failures that occur after the headers. */
const MESSAGES_STATUSES: Readonly<Record<string, number>> = {
  rate_limit_error: 429,
  overloaded_error: 503,
  timeout_error: 504,
};

/** Matches the beginning of an error object of the OpenAI API or the Messages API. */
const ERROR_START = /^\s*\{"(?:error"|type":"error")/;

/**
 * Returns the status that a JSON document should have had, as far as it has arrived. A JSON answer whose headers were sent
 * before it failed has the status 200, and an error object as its body.
 * @returns 200 unless it is a whole error object.
 */
export function lateErrorStatus(text: string): number {
  if (!beginsError(text)) return 200;
  try {
    const { error } = JSON.parse(text) as { readonly error: { readonly code?: string; readonly type: string } };
    const [statuses, key]: [Readonly<Record<string, number>>, string] =
      error.code === undefined ? [MESSAGES_STATUSES, error.type] : [API_ERROR_CODES, error.code];
    // An upstream may send any name, also one that every object inherits.
    return Object.hasOwn(statuses, key) ? statuses[key]! : 500;
  } catch {
    return 200;
  }
}

/** Whether a JSON document begins as an error object does. */
export function beginsError(text: string): boolean {
  return ERROR_START.test(text);
}
