import { ApiError } from '../../../shared/api-error.ts';
import {
  contextLengthExceeded,
  engineUnavailable,
  gpuUnavailable,
  unreadableImage,
  type WindowOfModel,
} from '../../../shared/engine/engine-errors.ts';
import { say } from '../../strings/say.ts';

/** Names of the errors that WebLLM throws if WebGPU or a graphics device is missing. */
const GPU_ERRORS = new Set(['WebGPUNotAvailableError', 'WebGPUNotFoundError']);
/** Names of the errors that WebLLM throws if the graphics device lacks a feature that the model needs. */
const FEATURE_ERRORS = new Set(['FeatureSupportError', 'ShaderF16SupportError']);
/** Names of the errors that WebAssembly throws if a model library cannot be compiled, linked or run. */
const LIBRARY_ERRORS = new Set(['CompileError', 'LinkError', 'RuntimeError']);
/** Matches the message of a CompileError caused by a Content-Security-Policy; the wording differs by browser. */
const POLICY = /content security policy|\bCSP\b|unsafe-eval/i;

/** Names of the errors that WebLLM throws after it lost the graphics device and unloaded the model. */
const LOST_ERRORS = new Set([
  'ConfigurationNotInitializedError',
  'DeviceLostError',
  'ModelNotLoadedError',
  'SpecifiedModelNotFoundError',
]);

/**
 * Names of the errors that WebLLM throws for an invalid request. Tabserve's own validation should prevent each of them.
 */
const REQUEST_ERRORS = new Set([
  'ContentTypeError',
  'CustomResponseFormatError',
  'CustomSystemPromptError',
  'DependencyError',
  'InvalidNumberStringError',
  'InvalidResponseFormatError',
  'InvalidResponseFormatGrammarError',
  'InvalidResponseFormatStructuralTagError',
  'InvalidStreamOptionsError',
  'MessageOrderError',
  'MinValueError',
  'MultipleTextContentError',
  'NonNegativeError',
  'SeedTypeError',
  'StreamingCountError',
  'SystemMessageOrderError',
  'UnsupportedDetailError',
  'UnsupportedFieldsError',
  'UnsupportedImageURLError',
  'UnsupportedModelIdError',
  'UnsupportedRoleError',
]);

/** Names of the errors that WebLLM throws for images if the model takes text only. */
const NO_IMAGES_ERRORS = new Set([
  'CannotFindImageEmbedError',
  'UnsupportedContentPartError',
  'UserMessageContentErrorForNonVLM',
]);

/**
 * Whether a model library could not be compiled or linked as WebAssembly, for another reason than the
 * Content-Security-Policy.
 */
export function isLibraryFault(thrown: unknown): boolean {
  const { name, message } = describe(thrown);
  return name === 'LinkError' || (name === 'CompileError' && !POLICY.test(message));
}

/** Converts an error that WebLLM threw while loading a model to an ApiError. */
export function loadError(model: string, thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const { name, message } = describe(thrown);
  const options = { cause: thrown };
  if (FEATURE_ERRORS.has(name)) {
    return new ApiError('gpu_unavailable', say('deviceFeatureMissing', model), options);
  }
  if (GPU_ERRORS.has(name) || /compatible GPU|exceeds limit/.test(message)) return gpuUnavailable(thrown);
  if (name === 'DeviceLostError') return outOfMemoryError(model, thrown);
  if (name === 'CompileError' && POLICY.test(message)) {
    return new ApiError('model_load_failed', say('webAssemblyForbidden'), options);
  }
  if (LIBRARY_ERRORS.has(name)) {
    return new ApiError('model_load_failed', say('libraryNotStarted', model), options);
  }
  return new ApiError('model_load_failed', say('filesDoNotFit', model), options);
}

/**
 * Creates the error for a GPU device that was lost while a model was loaded. The usual reason is too little GPU memory.
 */
export function outOfMemoryError(model: string, cause?: unknown): ApiError {
  return new ApiError('model_load_failed', say('deviceLostWhileLoading', model), { cause });
}

/**
 * Whether a load failed because the device was lost, most likely for lack of GPU memory; see {@link outOfMemoryError}.
 */
export function isOutOfMemory(thrown: unknown): boolean {
  return (
    thrown instanceof ApiError && thrown.code === 'model_load_failed' && LOST_ERRORS.has(describe(thrown.cause).name)
  );
}

/** Creates the error for a request that failed because the GPU device was lost. */
export function deviceLostError(cause?: unknown): ApiError {
  return new ApiError(
    'gpu_device_lost',
    'The graphics processor was reset. The model is being reloaded; try again soon.',
    {
      retryAfter: 5,
      cause,
    },
  );
}

/**
 * Creates the error for a WebAssembly trap in the model library. The library's memory may be corrupt afterwards, so the
 * model must be loaded again.
 */
function libraryTrapError(cause: unknown): ApiError {
  return engineUnavailable(
    'The library of the model failed in the middle of the answer. The model is being reloaded; try again soon.',
    5,
    cause,
  );
}

/** Properties of a request that {@link generationError} needs to name the field at fault. */
export interface ErrorContext {
  /** The request field to name in errors about the grammar, such as `response_format`; null without a grammar. */
  readonly grammar: string | null;
  readonly images: boolean;
  /** The request field that contains the prompt. */
  readonly prompt: 'messages' | 'prompt' | 'input';
  readonly model: WindowOfModel;
}

/** Converts an error that WebLLM threw while generating to an ApiError. */
export function generationError(thrown: unknown, context: ErrorContext): ApiError {
  const { grammar, images, prompt, model } = context;
  if (thrown instanceof ApiError) return thrown;
  const { name, message } = describe(thrown);
  const refuse = (sentence: string, param: string | null) =>
    new ApiError('invalid_value', sentence, { param, cause: thrown });
  if (name === 'ContextWindowSizeExceededError' || name === 'EmbeddingExceedContextWindowSizeError') {
    // WebLLM reports the number of prompt tokens only in its error message.
    const tokens = /: (\d+)/.exec(message)?.[1] ?? 'too many';
    return contextLengthExceeded(model, tokens, { param: prompt });
  }
  // WebLLM passes each token of a text as one argument of a call, and JavaScript engines limit the number of arguments.
  if (/call stack|too many (function )?arguments/i.test(message)) {
    return contextLengthExceeded(model, 'too many', { param: prompt, cause: thrown });
  }
  if (LOST_ERRORS.has(name)) return deviceLostError(thrown);
  if (thrown instanceof WebAssembly.RuntimeError) return libraryTrapError(thrown);
  if (name === 'GrammarMatcherInitError' && !((thrown as Error).cause instanceof TypeError)) {
    return refuse('The schema could not be turned into a grammar. Use the supported part of JSON Schema.', grammar);
  }
  // WebLLM throws this if the grammar allows no token, for example for a schema that only refers to itself.
  if (grammar !== null && /Grammar matcher rejected|failed to sample a valid token/.test(message)) {
    return refuse('The schema leaves the model nothing it could write. Check its references.', grammar);
  }
  if (name === 'PrefillChunkSizeSmallerThanImageError') {
    return refuse('An image is too large for this model. Send it with fewer pixels.', 'messages');
  }
  if (images && isImageFault(name, message)) return unreadableImage(thrown);
  if (NO_IMAGES_ERRORS.has(name)) {
    return new ApiError('unsupported_value', 'This model takes text only; leave out the images.', {
      param: 'messages',
      cause: thrown,
    });
  }
  if (REQUEST_ERRORS.has(name) || (name === 'RangeError' && message.startsWith('Make sure'))) {
    console.error('WebLLM refused what should have been refused before', thrown);
    return refuse('The model refused the request as malformed.', null);
  }
  return ApiError.from(thrown);
}

/**
 * Whether the error comes from fetching or decoding an image. WebLLM passes on the errors of the browser's functions.
 */
function isImageFault(name: string, message: string): boolean {
  return name === 'EncodingError' || name === 'InvalidStateError' || /fetch|NetworkError|Load failed/.test(message);
}

function describe(thrown: unknown): { name: string; message: string } {
  if (thrown instanceof Error) return { name: thrown.name, message: thrown.message };
  return { name: '', message: String(thrown) };
}
