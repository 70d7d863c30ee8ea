import { ApiError } from '../api-error.ts';

/**
 * The engine, or the tab or worker that it runs in, is not there.
 * @param message A sentence that says what happened and what to do.
 * @param retryAfter Seconds after which another try may well succeed. Default: 1.
 */
export function engineUnavailable(message: string, retryAfter = 1, cause?: unknown): ApiError {
  return new ApiError('engine_unavailable', message, { retryAfter, cause });
}

/** WebGPU gave no device. */
export function gpuUnavailable(cause?: unknown): ApiError {
  return new ApiError('gpu_unavailable', 'This browser has no graphics device that WebGPU could use.', { cause });
}

/**
 * There was a graphics device and there is none at present. When the process that drives it has crashed several times,
 * browsers give no device for some minutes.
 */
export function gpuCrashed(cause?: unknown): ApiError {
  const message =
    'The graphics process of the browser has crashed, and no graphics device is given for the time being. ' +
    'It is asked for again until there is one; try again soon.';
  return new ApiError('gpu_device_lost', message, { retryAfter: 10, cause });
}

/** Milliseconds between two looks for the graphics device after {@link gpuCrashed}: five minutes in all. */
export const GPU_RETRY_DELAYS = [1000, 2000, 5000, 10_000, 20_000, ...Array<number>(9).fill(30_000)] as const;

/**
 * The prompt does not fit into the model's window. Clients know this failure by words of the sentence.
 * @param window Tokens that fit, prompt and answer together.
 * @param tokens Tokens of the prompt, such as `2100` or `at least 2100`.
 * @param options `param` is the field that the prompt came in. Default: `messages`.
 */
export function contextLengthExceeded(
  window: number | string,
  tokens: number | string,
  { param = 'messages', cause }: { param?: string; cause?: unknown } = {},
): ApiError {
  return new ApiError(
    'context_length_exceeded',
    `context_length_exceeded: this model's maximum context length is ${window} tokens, ` +
      `and the ${param} resulted in ${tokens} tokens. Shorten the ${param}.`,
    { param, cause },
  );
}

/** No model of that id can answer on this device. */
export function modelNotOnDevice(id: string, param: 'model' | 'id' = 'model'): ApiError {
  return new ApiError('model_not_found', `The model ${JSON.stringify(id)} is not on this device.`, { param });
}
