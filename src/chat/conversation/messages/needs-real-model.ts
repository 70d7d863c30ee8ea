import { BUILT_IN_MODEL_ID, DECLINE_BEGIN } from '../../../shared/models/built-in-models.ts';
import type { Answer } from '../../types/conversation.ts';

/**
 * Whether a question was too hard for the built-in model: it declined, repeated itself or said nothing, the files were
 * too long, or there were images, which it does not accept.
 */
export function needsRealModel({ model, state, text, isStuck, error }: Answer): boolean {
  if (model !== BUILT_IN_MODEL_ID) return false;
  if (state === 'complete') return isStuck === true || text === '' || text.startsWith(DECLINE_BEGIN);
  return state === 'failed' && (error?.code === 'context_length_exceeded' || error?.code === 'unsupported_value');
}
