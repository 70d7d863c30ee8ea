import type { ApiErrorCode } from '../../shared/api-error.ts';
import type { Answer } from '../types/conversation.ts';
import { messageStrings } from './message-strings.ts';
import { localized, wordFor } from './page-language.ts';

/** For each error code, what the error means to the user and what to do. The endpoint's own message is shown below. */
export const answerErrors = localized('answerErrors', {
  model_not_found: 'This model is not on this device. Choose another one below, or download it under Models.',
  vector_store_not_found: 'The documents of this chat were deleted. Choose others below, or none.',
  model_load_failed: 'The model could not be loaded.',
  upstream_not_allowed: 'Another server would answer this. Allow it under Privacy, or choose another model below.',
  model_loading: 'The model is still loading. Try again in a moment.',
  model_not_loaded: 'No model is loaded. Choose one under Models.',
  gpu_unavailable: 'The graphics processor cannot be used by this browser, so no model can run.',
  gpu_device_lost:
    'The graphics processor was reset, and the model is loading again. Try once more; if that does not help, reload the page.',
  engine_unavailable: 'The model stopped answering. Try again; if that does not help, reload the page.',
  reload_required: 'This page lost its connection to the model. Reload it.',
  engine_timeout: 'The model took too long to answer. Try again, or choose a smaller model.',
  rate_limit_exceeded: 'Too many requests at once. Try again in a moment.',
  upstream_failed: 'The other server did not answer, or its answer broke off.',
  upstream_timeout: 'The other server took too long to answer.',
  context_length_exceeded:
    'This conversation is longer than the model can take in. Start a new chat, or edit an earlier question to branch off there.',
  internal_error: 'Something went wrong inside this page. Try again.',
} satisfies Partial<Record<ApiErrorCode, string>>);

export function explainError(code: ApiErrorCode): string {
  return wordFor(code, answerErrors) ?? messageStrings.failed;
}

/** Returns how an answer ended, for screen readers. */
export function outcomeOf({ state, error }: Pick<Answer, 'state' | 'error'>): string {
  if (error !== null) return explainError(error.code);
  return state === 'stopped' ? messageStrings.stopped : messageStrings.answered;
}

/** Messages about an answer that broke off or cannot be read. */
export const streamStrings = localized('streamStrings', {
  brokeOff: 'The answer broke off before its end.',
  endedBecause: (reason: string) => `The server ended the answer and named this reason: ${reason}.`,
  unknownForm: 'The server answered in a form that is not known here. What it sent is shown as text.',
  connectionLost: 'The connection to the model in this browser was lost.',
});
