import { ApiError, type ApiErrorData } from '../../shared/api-error.ts';
import { streamStrings } from '../strings/answer-errors.ts';
import { fieldsOf, listOf, recordOf, textOf, type Fields } from '../../shared/json-values.ts';
import { errorWords } from '../../shared/upstreams/error-words.ts';

/** Codes, types and states by which servers say that they got too many requests. */
const TOO_MANY = /^429$|rate.?limit|too.?many.?requests|resource.?exhausted|quota|throttl/i;

/** Reasons by which servers end an answer that they cannot finish. */
const BROKEN_END =
  /error(?!_toxic)|abort|cancel|fail|malformed|unexpected|overload|time_?out|insufficient|rate_?limit/i;

/**
 * Returns the error that the data of an event report; null if they report none. Servers differ in where they put it:
 * in `error`, `errors` or `detail`, in a choice, in a response, or as the whole event.
 */
export function errorIn(chunk: Fields): ApiError | null {
  const choice = fieldsOf(listOf(chunk['choices'])[0]);
  const response = chunk['type'] === 'response.failed' ? fieldsOf(chunk['response']) : null;
  const found = [chunk, choice, response].map((fields) => fields?.['error']).find((error) => Boolean(error));
  // Some servers only mark an event as an error, and write the message beside the mark.
  if (found) return readError(found === true ? chunk : found);
  if (chunk['object'] === 'error' || chunk['type'] === 'error' || response !== null)
    return readError(response ?? chunk);
  const reason = choice?.['finish_reason'] ?? fieldsOf(listOf(chunk['candidates'])[0])?.['finishReason'];
  if (typeof reason === 'string' && BROKEN_END.test(reason))
    return new ApiError('upstream_failed', streamStrings.endedBecause(reason));
  return choice === null && isErrorAlone(chunk) ? readError(chunk) : null;
}

/** Codes of a server that succeeded, or that still works. */
const SUCCESS = /^(?:0|[12]\d\d|ok|success|succeeded|completed|none|null|)$/i;

/** States of a server that failed. */
const FAILURE = /^[45]\d\d$|error|fail|denied|invalid|unavailable|forbidden|unauthorized/i;

/** Whether an object without an answer is an error by its own fields. */
function isErrorAlone(chunk: Fields): boolean {
  const { detail, errors, error_msg, error_code, base_resp, code, status, success, message, msg } = chunk;
  if (detail || error_msg || error_code || listOf(errors).length > 0) return true;
  const { status_code } = recordOf(base_resp);
  if (typeof status_code === 'number' && status_code !== 0) return true;
  const words = message ?? msg;
  if (typeof words !== 'string' || words === '') return false;
  const [coded, stated] = [code, status].map((value) => String(value ?? ''));
  return success === false || !SUCCESS.test(coded!) || FAILURE.test(stated!) || TOO_MANY.test(stated!);
}

/** Reads an error in any of the forms that servers use: a sentence, or an object with a message and a code. */
export function readError(error: unknown): ApiError {
  const fields = recordOf(error);
  const inner = recordOf(fields['error']);
  const codes = [fields, inner].flatMap(({ code, type, status, status_code }) => [code, type, status, status_code]);
  const known = codes.map((code) => errorOfCode(textOf(code))).find((code) => code !== 'internal_error');
  const tooMany = codes.some((code) => TOO_MANY.test(String(code ?? '')));
  const code =
    known ?? (tooMany ? 'rate_limit_exceeded' : codes[0] === 'internal_error' ? 'internal_error' : 'upstream_failed');
  const { param } = fields;
  return new ApiError(code, errorWords(error) || streamStrings.brokeOff, {
    param: typeof param === 'string' ? param : null,
  });
}

/** Returns a code of this API unchanged, and `internal_error` for any other. */
function errorOfCode(code: string): ApiError['code'] {
  return ApiError.fromData({ code, message: '', param: null } as unknown as ApiErrorData).code;
}
