import { ApiError } from '../../shared/api-error.ts';

/** What the fields of a chat completion, which the engine's errors name, are called in a request for a response. */
const FIELDS: Readonly<Record<string, string>> = {
  messages: 'input',
  'response_format.json_schema.schema': 'text.format.schema',
};

/** The same error, which names the fields of a request for a response. */
export function inTermsOfResponses(error: ApiError): ApiError {
  const { code, message, param, retryAfter, cause } = error;
  if (param === null || !Object.hasOwn(FIELDS, param)) return error;
  const retry = retryAfter === undefined ? {} : { retryAfter };
  return new ApiError(code, message, { param: FIELDS[param]!, cause, ...retry });
}
