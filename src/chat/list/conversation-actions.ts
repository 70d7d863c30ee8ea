import '../common/timed-notice.ts';
import { sleep, withTimeout } from '../../shared/timeout.ts';
import type { AnswerRunner } from '../answers/answer-runner.ts';
import { unsentFiles } from '../attachments/unsent-files.ts';
import { renameConversation } from '../common/rename-conversation.ts';
import { conversationAddress, parseRoute } from '../common/route.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Conversation, Message } from '../types/conversation.ts';
import { drafts } from '../storage/drafts/drafts.ts';
import { hasFiles } from '../storage/drafts/store-drafts.ts';
import { questionQueues } from '../storage/drafts/question-queues.ts';
import { exportAll, exportJson, exportMarkdown } from '../transfer/export-conversations.ts';
import type { ConversationAction } from './conversation-item.ts';

// Actions on chats of the list, loaded lazily at the first action.
export { exportAll };

/** Maximum milliseconds to wait until a stopped answer is stored before its chat is deleted. */
const WRITING_TIME = 1000;

export async function actOn(
  conversation: Conversation,
  action: Exclude<ConversationAction, 'delete'>,
  store: ConversationStore,
): Promise<void> {
  switch (action) {
    case 'rename':
      return renameConversation(conversation, store);
    case 'pin':
      return store.update(conversation.id, { pinned: !conversation.pinned });
    case 'exportJson':
      return exportJson(conversation, store);
    case 'exportMarkdown':
      return exportMarkdown(conversation, store);
    case 'print':
      return print();
  }
}

export interface DeletedConversation {
  readonly title: string;
  /**
   * Restores the conversation with its drafts and files. A running answer stays stopped. Null if another tab deleted
   * the conversation first: only that tab can restore it.
   */
  readonly restore: (() => Promise<void>) | null;
}

/** Deletes a conversation without asking. Only `restore` of the result can bring it back. */
export async function deleteConversation(
  { id, title }: Conversation,
  store: ConversationStore,
  answers: AnswerRunner,
): Promise<DeletedConversation> {
  answers.stopConversation(id);
  await withTimeout(WRITING_TIME, written(id, answers), undefined);
  const route = parseRoute(location.hash);
  const wasShown = route.view === 'chat' && route.conversation === id;
  const [conversation, messages] = await Promise.all([store.conversation(id), store.messages(id)]);
  // Loads the files before anything is deleted: if they cannot be read, this throws and nothing is deleted.
  if (await hasFiles(id)) await unsentFiles.open(id);
  await store.delete(id);
  const restoreDrafts = await drafts.keep((keeper) => keeper.take([id, ...messages.map((message) => message.id)]));
  const restoreQueue = await questionQueues.take(id);
  const files = unsentFiles.of(id);
  unsentFiles.clear(id);
  if (wasShown) {
    const left = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    location.hash = '#/';
    // The empty conversation takes the focus when it is rendered. Only then may the caller move the focus.
    await left.then(() => sleep(0));
  }
  if (conversation === undefined) return { title, restore: null };
  const restore = async (): Promise<void> => {
    await store.add(conversation, messages.map(stopped));
    await restoreDrafts();
    unsentFiles.bringBack(id, files);
    await restoreQueue();
    if (wasShown) location.hash = conversationAddress(id);
  };
  return { title, restore };
}

async function written(id: string, answers: AnswerRunner): Promise<void> {
  while (answers.runningIn(id) !== undefined)
    await new Promise((resolve) => answers.addEventListener('change', resolve, { once: true }));
}

function stopped(message: Message): Message {
  return message.role === 'assistant' && message.state === 'running'
    ? { ...message, state: 'stopped', stream: undefined }
    : message;
}
