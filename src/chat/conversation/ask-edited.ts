import type { Question } from '../types/conversation.ts';
import { writeDraft } from '../storage/local-values.ts';
import type { ConversationController } from './conversation-controller.ts';

/** Asks an edited question. Where it cannot be stored its words are kept, and the next edit goes on from there. */
export async function askEdited(
  chat: ConversationController,
  question: Question,
  text: string,
  model: string,
): Promise<void> {
  try {
    await chat.editQuestion(question, text, model);
  } catch (thrown) {
    if (!chat.isTemporary) writeDraft(question.id, text);
    throw thrown;
  }
}
