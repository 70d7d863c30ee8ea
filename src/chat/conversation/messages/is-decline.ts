import { BUILT_IN_MODEL_ID, DECLINE_BEGIN } from '../../../shared/models/built-in-models.ts';
import type { Answer } from '../../types/conversation.ts';

/** Whether the built-in model has declined to answer. */
export function isDecline({ model, state, text }: Answer): boolean {
  return model === BUILT_IN_MODEL_ID && state === 'complete' && text.startsWith(DECLINE_BEGIN);
}
