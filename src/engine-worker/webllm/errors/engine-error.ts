import { ApiError } from '../../../shared/api-error.ts';
import { contextLengthExceeded, engineUnavailable, gpuUnavailable } from '../../../shared/engine/engine-errors.ts';

/** WebLLM's errors about the graphics device, while it loads a model. */
const GPU_ERRORS = new Set(['WebGPUNotAvailableError', 'WebGPUNotFoundError']);
const FEATURE_ERRORS = new Set(['FeatureSupportError', 'ShaderF16SupportError']);
const LIBRARY_ERRORS = new Set(['CompileError', 'LinkError', 'RuntimeError']);
/** Every browser words its own CompileError for this, and names the policy or the missing source in it. */
const POLICY = /content security policy|\bCSP\b|unsafe-eval/i;

const LOST_ERRORS = new Set([
  'ConfigurationNotInitializedError',
  'DeviceLostError',
  'ModelNotLoadedError',
  'SpecifiedModelNotFoundError',
]);

/** WebLLM's complaints about a request. Each of them should have been found before WebLLM saw it. */
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

const NO_IMAGES_ERRORS = new Set([
  'CannotFindImageEmbedError',
  'UnsupportedContentPartError',
  'UserMessageContentErrorForNonVLM',
]);

/** Whether the browser, or WebLLM's own part of WebAssembly, could make nothing of a model's library. */
export function isLibraryFault(thrown: unknown): boolean {
  const { name, message } = describe(thrown);
  return name === 'LinkError' || (name === 'CompileError' && !POLICY.test(message));
}

/** Translates what WebLLM throws while it loads a model. */
export function loadError(model: string, thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const { name, message } = describe(thrown);
  const options = { cause: thrown };
  if (FEATURE_ERRORS.has(name)) {
    return new ApiError(
      'gpu_unavailable',
      `The graphics device lacks a feature that ${model} needs. Choose a variant of the model with f32 in its name.`,
      options,
    );
  }
  if (GPU_ERRORS.has(name) || /compatible GPU|exceeds limit/.test(message)) return gpuUnavailable(thrown);
  if (name === 'DeviceLostError') return outOfMemoryError(model, thrown);
  if (name === 'CompileError' && POLICY.test(message)) {
    return new ApiError(
      'model_load_failed',
      "This site's Content-Security-Policy forbids WebAssembly, which every model needs. " +
        "Add 'wasm-unsafe-eval' to its script-src directive, in the header of the engine worker's script too.",
      options,
    );
  }
  if (LIBRARY_ERRORS.has(name)) {
    return new ApiError(
      'model_load_failed',
      `The library of ${model} could not be started. It does not fit this version of WebLLM, or this package: ` +
        'take the library that belongs to the package.',
      options,
    );
  }
  return new ApiError(
    'model_load_failed',
    `${model} could not be loaded: its files do not fit together. Delete the model and download it again.`,
    options,
  );
}

/** Most losses of the device happen while the weights are put on it. */
export function outOfMemoryError(model: string, cause?: unknown): ApiError {
  return new ApiError(
    'model_load_failed',
    `The graphics device was lost while ${model} was put on it; most likely its memory is too small. ` +
      'Close other tabs or choose a smaller model.',
    { cause },
  );
}

/** Whether a load has failed for a reason that {@link outOfMemoryError} tells. */
export function isOutOfMemory(thrown: unknown): boolean {
  return (
    thrown instanceof ApiError && thrown.code === 'model_load_failed' && LOST_ERRORS.has(describe(thrown.cause).name)
  );
}

export function deviceLostError(cause?: unknown): ApiError {
  return new ApiError('gpu_device_lost', 'The graphics device was lost. The model is loaded anew; try again soon.', {
    retryAfter: 5,
    cause,
  });
}

/** The compiled library of a model has trapped, after which nothing in its memory can be relied on. */
function libraryTrapError(cause: unknown): ApiError {
  return engineUnavailable(
    'The library of the model failed in the middle of the answer. The model is loaded anew; try again soon.',
    5,
    cause,
  );
}

/** What of a request may be to blame for an error that does not say so. */
export interface ErrorContext {
  /** Path of the field that the grammar in force comes from; null without a grammar. */
  readonly grammar: string | null;
  readonly images: boolean;
  /** The field that the prompt came in. */
  readonly prompt: 'messages' | 'prompt' | 'input';
  /** Tokens. */
  readonly contextWindow: number;
}

/** Translates what WebLLM throws while it generates. */
export function generationError(thrown: unknown, context: ErrorContext): ApiError {
  const { grammar, images, prompt, contextWindow } = context;
  if (thrown instanceof ApiError) return thrown;
  const { name, message } = describe(thrown);
  const refuse = (sentence: string, param: string | null) =>
    new ApiError('invalid_value', sentence, { param, cause: thrown });
  if (name === 'ContextWindowSizeExceededError' || name === 'EmbeddingExceedContextWindowSizeError') {
    // The number is in the text of WebLLM's error and nowhere else.
    const tokens = /: (\d+)/.exec(message)?.[1] ?? 'too many';
    return contextLengthExceeded(contextWindow, tokens, { param: prompt });
  }
  // WebLLM passes all tokens of a text as arguments of one call, of which engines allow some hundred thousand.
  if (/call stack|too many (function )?arguments/i.test(message)) {
    return contextLengthExceeded(contextWindow, 'too many', { param: prompt, cause: thrown });
  }
  if (LOST_ERRORS.has(name)) return deviceLostError(thrown);
  if (thrown instanceof WebAssembly.RuntimeError) return libraryTrapError(thrown);
  if (name === 'GrammarMatcherInitError' && !((thrown as Error).cause instanceof TypeError)) {
    return refuse('The schema could not be turned into a grammar. Use the supported part of JSON Schema.', grammar);
  }
  // What is left when a grammar, such as that of a schema that is only a reference to itself, allows nothing.
  if (grammar !== null && /Grammar matcher rejected|failed to sample a valid token/.test(message)) {
    return refuse('The schema leaves the model nothing it could write. Check its references.', grammar);
  }
  if (name === 'PrefillChunkSizeSmallerThanImageError') {
    return refuse('An image is too large for this model. Send it with fewer pixels.', 'messages');
  }
  if (images && isImageFault(name, message)) {
    return refuse('An image could not be fetched or read. Send a PNG, JPEG or WebP as a data: address.', 'messages');
  }
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

/** WebLLM fetches and decodes images with the browser's own functions and passes their errors on. */
function isImageFault(name: string, message: string): boolean {
  return name === 'EncodingError' || name === 'InvalidStateError' || /fetch|NetworkError|Load failed/.test(message);
}

function describe(thrown: unknown): { name: string; message: string } {
  if (thrown instanceof Error) return { name: thrown.name, message: thrown.message };
  return { name: '', message: String(thrown) };
}
