import { BUILT_IN_MODEL_ID, DECLINE_BEGIN } from '../../../shared/models/built-in-models.ts';
import type { Answer } from '../../types/conversation.ts';

/**
 * Whether a question was beyond the built-in model: it declined, got stuck, said nothing or called a tool wrongly, the
 * files were too long for it, or it cannot see the images.
 */
export function needsRealModel({ model, state, text, isStuck, error, rounds = [] }: Answer): boolean {
  if (model !== BUILT_IN_MODEL_ID) return false;
  const hasFailedCall = rounds.some(({ calls }) => calls.some(({ outcome }) => outcome === 'failed'));
  if (state === 'complete') return isStuck === true || text === '' || text.startsWith(DECLINE_BEGIN) || hasFailedCall;
  return state === 'failed' && (error?.code === 'context_length_exceeded' || error?.code === 'unsupported_value');
}
