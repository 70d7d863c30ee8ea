import { siteLocks } from '../../shared/locks/site-locks.ts';
import type { Answer, Message } from '../types/conversation.ts';
import type { ConversationController } from './conversation-controller.ts';

/** The members of the displayed chat that this function needs. */
type AskedChat = Pick<ConversationController, 'path' | 'tree' | 'answering' | 'refresh' | 'ask' | 'regenerate'>;

/**
 * Sends the question of an answer to another model, which then answers in this chat. If the chat has continued, the
 * question is appended at its end, so that no later message is hidden. Does nothing if the chat has changed meanwhile: tabs
 * that show it may do this at the same moment, because the model that they waited for has arrived.
 * @param path The messages that the chat showed when this was requested.
 */
export function askAgain(chat: AskedChat, path: readonly Message[], answer: Answer, model: string): Promise<void> {
  return siteLocks().request(`tabserve-ask-again ${answer.id}`, async () => {
    await chat.refresh();
    const end = path.at(-1)?.id;
    if (chat.answering || chat.path.at(-1)?.id !== end) return;
    const question = end === answer.id ? undefined : chat.tree.get(answer.parent ?? '');
    if (question?.role !== 'user') return chat.regenerate(answer, model);
    const { text, attachments } = question;
    await chat.ask({ text, ...(attachments && { attachments }) }, () => model);
  });
}
