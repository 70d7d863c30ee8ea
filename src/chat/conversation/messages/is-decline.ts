import { BUILT_IN_MODEL_ID } from '../../../shared/models/built-in-models.ts';
import type { Answer } from '../../types/conversation.ts';

/** How the built-in model begins when it does not know an answer. It was trained to say this and nothing else. */
export const DECLINE = 'I do not know that. I am only a small demonstration model';

/** Whether the built-in model has declined to answer. */
export function isDecline({ model, state, text }: Answer): boolean {
  return model === BUILT_IN_MODEL_ID && state === 'complete' && text.startsWith(DECLINE);
}
