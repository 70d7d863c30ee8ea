import type { CodedSentence, CodedText } from './coded-sentence.ts';

/** An {@link ApiError} as plain data, for messages between contexts. */
export interface ApiErrorData {
  /** HTTP status, for a response whose headers have not been sent. */
  readonly status: number;
  readonly type: ApiErrorType;
  readonly code: ApiErrorCode;
  /** Path of the request field at fault, such as `messages[2].content`; null if no field is. */
  readonly param: string | null;
  /** A sentence for the person who must fix it: which field, what was expected, what was received. */
  readonly message: string;
  /** The sentences of `message`, for a page of another language. Default: the message is a text without codes. */
  readonly sentences?: readonly CodedSentence[] | undefined;
  /** Seconds (1…59) after which a retry may succeed; absent if waiting cannot help. */
  readonly retryAfter?: number | undefined;
  /** By how much the prompt exceeds the context window; only with `context_length_exceeded`. */
  readonly overflow?: ContextOverflow | undefined;
}

/** Numbers of tokens of a prompt that does not fit. */
export interface ContextOverflow {
  /** Length of the prompt, or a lower bound of it. */
  readonly tokens: number;
  /** The longest prompt that would fit. Less than `tokens`. */
  readonly maximum: number;
}

export type ApiErrorType = 'invalid_request_error' | 'requests' | 'server_error';

/** Every error code with its HTTP status, as in the OpenAI API's table of errors. */
export const API_ERROR_CODES = {
  forbidden_request: 403,
  unknown_url: 404,
  method_not_supported: 405,
  upstream_not_allowed: 403,
  missing_api_key: 401,
  invalid_api_key: 401,
  unsupported_content_type: 415,
  request_too_large: 413,
  invalid_json: 400,
  invalid_type: 400,
  missing_required_parameter: 400,
  invalid_value: 400,
  integer_below_min_value: 400,
  integer_above_max_value: 400,
  decimal_below_min_value: 400,
  decimal_above_max_value: 400,
  empty_array: 400,
  array_above_max_length: 400,
  unsupported_parameter: 400,
  unsupported_value: 400,
  model_not_found: 404,
  stream_not_found: 404,
  previous_response_not_found: 400,
  answer_not_found: 404,
  answer_cancelled: 410,
  answer_lost: 410,
  file_not_found: 404,
  vector_store_not_found: 404,
  context_length_exceeded: 400,
  rate_limit_exceeded: 429,
  model_loading: 503,
  model_not_loaded: 503,
  model_load_failed: 503,
  gpu_unavailable: 503,
  gpu_device_lost: 503,
  engine_unavailable: 503,
  reload_required: 503,
  storage_unavailable: 503,
  engine_timeout: 504,
  upstream_failed: 502,
  upstream_timeout: 504,
  internal_error: 500,
} as const;

export type ApiErrorCode = keyof typeof API_ERROR_CODES;

export interface ApiErrorOptions {
  param?: string | null;
  retryAfter?: number | undefined;
  overflow?: ContextOverflow | undefined;
  cause?: unknown;
}

/**
 * Every failure that a person or a client may see. Any other thrown value is a defect in Tabserve: clients get it as
 * `internal_error`, without its message.
 *
 * Structured clone drops the subclass and the fields of an Error. To send one to another context use
 * {@link ApiError.toData} and {@link ApiError.fromData}.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError' as const;
  readonly code: ApiErrorCode;
  readonly param: string | null;
  readonly retryAfter: number | undefined;
  /** See {@link ApiErrorData.overflow}. */
  readonly overflow: ContextOverflow | undefined;
  /** See {@link ApiErrorData.sentences}. */
  readonly sentences: readonly CodedSentence[] | undefined;

  constructor(code: ApiErrorCode, message: string | CodedText, options: ApiErrorOptions = {}) {
    const { text, sentences } = typeof message === 'string' ? { text: message, sentences: undefined } : message;
    super(text, options);
    this.code = code;
    this.param = options.param ?? null;
    this.retryAfter = options.retryAfter;
    this.overflow = options.overflow;
    this.sentences = sentences;
  }

  get status(): number {
    return API_ERROR_CODES[this.code];
  }

  get type(): ApiErrorType {
    const { status } = this;
    return status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error';
  }

  toData(): ApiErrorData {
    const { status, type, code, param, message, sentences, retryAfter, overflow } = this;
    return { status, type, code, param, message, sentences, retryAfter, overflow };
  }

  /** Restores an error from {@link toData}. A code that this build does not know becomes `internal_error`. */
  static fromData(data: ApiErrorData): ApiError {
    const { message: text, sentences } = data;
    const code = Object.hasOwn(API_ERROR_CODES, data.code) ? data.code : 'internal_error';
    const message = sentences === undefined ? text : { text, sentences };
    return new ApiError(code, message, data);
  }

  /** Returns an ApiError unchanged; wraps anything else as the cause of an `internal_error`. */
  static from(thrown: unknown): ApiError {
    if (thrown instanceof ApiError) return thrown;
    return new ApiError(
      'internal_error',
      'Something went wrong inside Tabserve; the browser console has the details.',
      {
        cause: thrown,
      },
    );
  }
}

export interface ErrorBody {
  readonly error: { message: string; type: string; param: string | null; code: string };
}

/** OpenAI's error object: the body of a response, or the data of a stream's error event. */
export function errorBody({ message, type, param, code }: ApiError): ErrorBody {
  return { error: { message, type, param, code } };
}
