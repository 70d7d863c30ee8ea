import { ApiError } from '../api-error.ts';
import type { CodedText } from '../coded-sentence.ts';
import { windowLimits } from '../models/window-limits.ts';
import type { ModelEntry } from '../models/model-entry.ts';

/**
 * Creates the error for an engine that cannot be reached: its worker or its tab has ended, or did not start.
 * @param message A sentence that says what happened and what to do.
 * @param retryAfter Seconds after which a retry may succeed. Default: 1.
 */
export function engineUnavailable(message: string | CodedText, retryAfter = 1, cause?: unknown): ApiError {
  return new ApiError('engine_unavailable', message, { retryAfter, cause });
}

export function gpuUnavailable(cause?: unknown): ApiError {
  return new ApiError('gpu_unavailable', 'This browser has no graphics processor that WebGPU could use.', { cause });
}

/**
 * Creates the error for a lost GPU device that has not been replaced yet. After several crashes of the GPU process,
 * browsers refuse WebGPU for some minutes.
 */
export function gpuCrashed(cause?: unknown): ApiError {
  const message =
    "The browser's graphics process has crashed, and no graphics processor is available at the moment. " +
    'Reloading the page often helps. Otherwise the page keeps asking for it.';
  return new ApiError('gpu_device_lost', message, { retryAfter: 10, cause });
}

/** Milliseconds between the requests for a new GPU device after {@link gpuCrashed}: five minutes in all. */
export const GPU_RETRY_DELAYS = [1000, 2000, 5000, 10_000, 20_000, ...Array<number>(9).fill(30_000)] as const;

/** The fields of a model that determine its context window. */
export type WindowOfModel = Pick<ModelEntry, 'contextWindow' | 'gguf' | 'window'>;

/**
 * Creates the error for a prompt that exceeds the context window. Clients recognise this error by the words of its
 * message, which are those of OpenAI's service.
 * @param model Its context window is for prompt and completion together.
 * @param tokens Length of the prompt in tokens, such as `2100`, `at least 2100` or `too many`.
 * @param options `param` is the request field that holds the prompt. Default: `messages`.
 */
export function contextLengthExceeded(
  { contextWindow, ...model }: WindowOfModel,
  tokens: number | string,
  { param = 'messages', cause }: { param?: string; cause?: unknown } = {},
): ApiError {
  const most = windowLimits(model)?.most ?? 0;
  const [counted] = /^(?:at least )?\d+$/.exec(String(tokens)) ?? [];
  const fewest = counted === undefined ? contextWindow + 1 : Number(counted.replace(/\D/g, ''));
  return new ApiError(
    'context_length_exceeded',
    `This model's maximum context length is ${contextWindow} tokens. ` +
      `However, your ${param} resulted in ${tokens} tokens. Please reduce the length of the ${param}` +
      (most > contextWindow
        ? `, or set a larger context window under Models: this model takes up to ${most} tokens.`
        : '.'),
    { param, overflow: { tokens: fewest, maximum: Math.min(contextWindow, fewest - 1) }, cause },
  );
}

/** Creates the error for an answer whose engine has ended before the answer. */
export function brokenOff(): ApiError {
  return engineUnavailable('The answer broke off because the page that ran the model went away.');
}

/** Creates the error for an image of a request that the browser could not fetch or decode. */
export function unreadableImage(cause: unknown): ApiError {
  return new ApiError(
    'invalid_value',
    'An image could not be fetched or read. Send a PNG, JPEG or WebP as a data: address.',
    { param: 'messages', cause },
  );
}

export function modelNotOnDevice(id: string, param: 'model' | 'id' = 'model'): ApiError {
  return new ApiError('model_not_found', `The model ${JSON.stringify(id)} is not on this device.`, { param });
}
