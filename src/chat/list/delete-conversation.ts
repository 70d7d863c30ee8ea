import { sleep, withTimeout } from '../../shared/timeout.ts';
import type { AnswerRunner } from '../answers/answer-runner.ts';
import { unsentFiles } from '../attachments/unsent-files.ts';
import { loadPart } from '../browser/load-part.ts';
import { conversationAddress, KEEPS_MENU, parseRoute } from '../common/route.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import { finishDeletions, forgetDeletion, noteDeletion } from '../storage/drafts/deletions.ts';
import type { DraftKeeper } from '../storage/drafts/draft-keeper.ts';
import { drafts } from '../storage/drafts/drafts.ts';
import { questionQueues } from '../storage/drafts/question-queues.ts';
import { allChatsStrings } from '../strings/dialog-strings.ts';
import type { Conversation, Message } from '../types/conversation.ts';

type Answers = Pick<AnswerRunner, 'stopConversation' | 'runningIn' | 'unsaved' | 'addEventListener'>;

/** Maximum milliseconds to wait until a stopped answer is stored before its chat is deleted. */
const WRITING_TIME = 1000;

export interface DeletedConversation {
  readonly title: string;
  /**
   * Restores the conversation with its drafts and files. A running answer stays stopped. If it rejects, for example
   * because the disk is full, it can be called again. Null if another tab deleted the conversation first: only that tab
   * can restore it.
   */
  readonly restore: (() => Promise<void>) | null;
  /** Call it when `restore` will not be called any more. Then what could not be deleted is tried again. */
  readonly end: () => void;
}

/** Deletes a conversation without asking. Only `restore` of the result can bring it back. */
export async function deleteConversation(
  { id, title }: Conversation,
  store: ConversationStore,
  answers: Answers,
): Promise<DeletedConversation> {
  // Loaded before anything is deleted: offline it may be missing.
  const keeper = await loadPart(drafts.keep((keeper) => keeper));
  // Otherwise the end of the answer that is stopped would send the next question of the queue, and lose it.
  return questionQueues.hold(id, () => deleteHeld({ id, title }, store, answers, keeper));
}

async function deleteHeld(
  { id, title }: Pick<Conversation, 'id' | 'title'>,
  store: ConversationStore,
  answers: Answers,
  keeper: DraftKeeper,
): Promise<DeletedConversation> {
  answers.stopConversation(id);
  await withTimeout(WRITING_TIME, written(id, answers), undefined);
  const route = parseRoute(location.hash);
  const wasShown = route.view === 'chat' && route.conversation === id;
  const [conversation, stored] = await Promise.all([store.conversation(id), store.messages(id)]);
  // An answer whose end could not be stored is in memory only.
  const messages = stored.map((message) => answers.unsaved(message.id) ?? message);
  // Loads the files before anything is deleted: if they cannot be read, this throws and nothing is deleted.
  if (await keeper.hasFiles(id)) await unsentFiles.open(id);
  const owners = [id, ...messages.map((message) => message.id)];
  // A chat that is in memory only does not exist for other pages, even after it was restored.
  if (!store.keepsNothing) await noteDeletion(owners);
  try {
    await store.delete(id);
  } catch (error) {
    await forgetDeletion(id);
    throw error;
  }
  const restoreDrafts = await keeper.take(owners);
  const restoreQueue = await questionQueues.take(id);
  const files = unsentFiles.of(id);
  await unsentFiles.clear(id);
  if (wasShown) {
    // In a narrow window the list, which offers to undo this, is in the drawer.
    history.pushState(KEEPS_MENU, '', '#/');
    dispatchEvent(new HashChangeEvent('hashchange'));
    // The empty conversation takes the focus when it is rendered. Only then may the caller move the focus.
    await sleep(0);
  }
  const end = (): void => {
    finishDeletions(id).catch((error: unknown) => console.info('What a deleted chat left is still kept.', error));
  };
  if (conversation === undefined) {
    end();
    return { title, restore: null, end };
  }
  // The chat comes last. If the page ends before, the deletion is still on record, and deletes the rest again.
  const steps = [
    restoreDrafts,
    restoreQueue,
    () => unsentFiles.bringBack(id, files),
    () => store.add(conversation, messages.map(stopped)),
    () => forgetDeletion(id),
    () => void (wasShown && (location.hash = conversationAddress(id))),
  ];
  const restore = async (): Promise<void> => {
    // Its time begins anew, so that no other page deletes what is restored before the chat is.
    if (!store.keepsNothing) await noteDeletion(owners);
    try {
      // Those that were done are not repeated.
      for (; steps.length > 0; steps.shift()) await steps[0]!();
    } catch (cause) {
      throw new Error(allChatsStrings.notStored, { cause });
    }
  };
  return { title, restore, end };
}

/**
 * Restores conversations. All are tried.
 * @param tell Called with those that failed and can be tried again, for example when there is room on the disk.
 * @throws Error of the first of them.
 */
export async function undo(
  deleted: readonly DeletedConversation[],
  tell: (failed: readonly DeletedConversation[]) => void,
): Promise<void> {
  const undone = await Promise.allSettled(deleted.map(async ({ restore }) => restore?.()));
  const failed = deleted.filter((_, index) => undone[index]!.status === 'rejected');
  if (failed.length > 0) tell(failed);
  for (const one of undone) if (one.status === 'rejected') throw one.reason;
}

async function written(id: string, answers: Pick<AnswerRunner, 'runningIn' | 'addEventListener'>): Promise<void> {
  while (answers.runningIn(id) !== undefined)
    await new Promise((resolve) => answers.addEventListener('change', resolve, { once: true }));
}

function stopped(message: Message): Message {
  return message.role === 'assistant' && message.state === 'running'
    ? { ...message, state: 'stopped', stream: undefined }
    : message;
}
