import { BUILT_IN_MODEL_ID, DECLINE, DECLINE_BEGIN } from '../../../shared/models/built-in-models.ts';
import type { Answer, Message } from '../../types/conversation.ts';

/** Whether the built-in model has declined. */
export function hasDeclined({ model, state, text }: Answer): boolean {
  return model === BUILT_IN_MODEL_ID && state === 'complete' && text.startsWith(DECLINE_BEGIN);
}

/** Returns when the built-in model first declined in a chat: milliseconds as in `created`; Infinity if it has not. */
export function firstRefusal(path: readonly Message[]): number {
  return path.find((message) => message.role === 'assistant' && hasDeclined(message))?.created ?? Infinity;
}

/** Whether the built-in model has begun to decline, or with words that begin in the same way. */
export function mayDecline({ model, state, text }: Answer): boolean {
  return model === BUILT_IN_MODEL_ID && state === 'running' && text !== '' && DECLINE.startsWith(text);
}

/**
 * Whether a question was beyond the built-in model: it declined, got stuck, said nothing or called a tool wrongly, the
 * files were too long for it, or it cannot see the images. Also if passages were found, which it can hardly read.
 */
export function needsRealModel(answer: Answer): boolean {
  const { model, state, text, isStuck, error, sources, rounds = [] } = answer;
  // A larger model would find nothing either.
  if (model !== BUILT_IN_MODEL_ID || sources?.length === 0) return false;
  const hasFailedCall = rounds.some(({ calls }) => calls.some(({ outcome }) => outcome === 'failed'));
  if (state === 'complete') return isStuck === true || text === '' || hasDeclined(answer) || hasFailedCall;
  return state === 'failed' && (error?.code === 'context_length_exceeded' || error?.code === 'unsupported_value');
}
