import { sleep, withTimeout } from '../../shared/timeout.ts';
import type { AnswerRunner } from '../answers/answer-runner.ts';
import { unsentFiles } from '../attachments/unsent-files.ts';
import { loadPart } from '../browser/load-part.ts';
import { conversationAddress, parseRoute } from '../common/route.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { DraftKeeper } from '../storage/drafts/draft-keeper.ts';
import { drafts } from '../storage/drafts/drafts.ts';
import { questionQueues } from '../storage/drafts/question-queues.ts';
import type { Conversation, Message } from '../types/conversation.ts';

/** Maximum milliseconds to wait until a stopped answer is stored before its chat is deleted. */
const WRITING_TIME = 1000;

type Answers = Pick<AnswerRunner, 'stopConversation' | 'runningIn' | 'addEventListener'>;

export interface DeletedConversation {
  readonly title: string;
  /**
   * Restores the conversation with its drafts and files. A running answer stays stopped. Null if another tab deleted
   * the conversation first: only that tab can restore it.
   */
  readonly restore: (() => Promise<void>) | null;
  /** Call it when `restore` will not be called any more. Then what could not be deleted is tried again. */
  readonly end: () => void;
}

/** Deletes a conversation without asking. Only `restore` of the result can bring it back. */
export async function deleteConversation(
  conversation: Conversation,
  store: ConversationStore,
  answers: Answers,
): Promise<DeletedConversation> {
  // Loaded before anything is deleted: offline it may be missing.
  const keeper = await loadPart(drafts.keep((keeper) => keeper));
  // What cannot be deleted now must be there if the chat comes back.
  const release = await keeper.holdSweeps();
  const end = (): void => {
    release();
    keeper.sweepWhenIdle();
  };
  try {
    const restore = await deleteAll(conversation, store, answers, keeper);
    if (restore === null) end();
    return { title: conversation.title, restore: restore && (() => restore().finally(end)), end };
  } catch (error) {
    end();
    throw error;
  }
}

/** Returns what restores the conversation; null if it was deleted before. */
async function deleteAll(
  { id }: Conversation,
  store: ConversationStore,
  answers: Answers,
  keeper: DraftKeeper,
): Promise<(() => Promise<void>) | null> {
  answers.stopConversation(id);
  await withTimeout(WRITING_TIME, written(id, answers), undefined);
  const route = parseRoute(location.hash);
  const wasShown = route.view === 'chat' && route.conversation === id;
  const [conversation, messages] = await Promise.all([store.conversation(id), store.messages(id)]);
  // Loads the files before anything is deleted: if they cannot be read, this throws and nothing is deleted.
  if (await keeper.hasFiles(id)) await unsentFiles.open(id);
  await store.delete(id);
  const restoreDrafts = await keeper.take([id, ...messages.map((message) => message.id)]);
  const restoreQueue = await questionQueues.take(id);
  const files = unsentFiles.of(id);
  await unsentFiles.clear(id);
  if (wasShown) {
    const left = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    location.hash = '#/';
    // The empty conversation takes the focus when it is rendered. Only then may the caller move the focus.
    await left.then(() => sleep(0));
  }
  if (conversation === undefined) return null;
  return async () => {
    await store.add(conversation, messages.map(stopped));
    unsentFiles.bringBack(id, files);
    await Promise.all([restoreDrafts(), restoreQueue()]);
    if (wasShown) location.hash = conversationAddress(id);
  };
}

async function written(id: string, answers: Answers): Promise<void> {
  while (answers.runningIn(id) !== undefined)
    await new Promise((resolve) => answers.addEventListener('change', resolve, { once: true }));
}

function stopped(message: Message): Message {
  return message.role === 'assistant' && message.state === 'running'
    ? { ...message, state: 'stopped', stream: undefined }
    : message;
}
