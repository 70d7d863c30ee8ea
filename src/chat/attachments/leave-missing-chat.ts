import { finishDeletions, isDeleted, isDeletedHere } from '../storage/drafts/deletions.ts';
import { drafts } from '../storage/drafts/drafts.ts';
import type { DraftKeeper } from '../storage/drafts/draft-keeper.ts';
import { questionQueues } from '../storage/drafts/question-queues.ts';
import { unsentFiles } from './unsent-files.ts';

/**
 * Moves what is unsent in a chat that does not exist to the new chat of this tab, where the field shows it. Of a chat that a
 * person deleted in another tab only the text in the field is moved, and nothing of one deleted in this tab.
 * @param chat Its text must be shown by {@link DraftKeeper.show}, and is hidden in the end.
 * @param wasShown Whether this page has shown the chat before. Otherwise what an interrupted deletion has left is deleted.
 */
export async function leaveMissingChat(chat: string, wasShown: boolean): Promise<void> {
  const keeper = await drafts.keep((keeper) => keeper);
  if (isDeletedHere(chat)) return keeper.hide(chat);
  const wasDeleted = await isDeleted(chat).catch(() => false);
  if (wasDeleted && !wasShown) {
    await keeper.take([chat]);
    await unsentFiles.clear(chat);
    await finishDeletions(chat);
  } else {
    // Settles when the text is read.
    await keeper.show(chat);
    keeper.hide(chat);
    await moveText(chat, drafts.read(chat), keeper);
    if (!wasDeleted) await moveRest(chat, keeper);
  }
  keeper.hide(chat);
}

async function moveText(chat: string, text: string, keeper: DraftKeeper): Promise<void> {
  if (text === '') return;
  drafts.prepend(null, text);
  // The field shows it.
  drafts.dispatchEvent(new Event('change'));
  await keeper.flush();
  // Stored before it is deleted.
  if (!drafts.unkept.has(null)) drafts.write(chat, '');
}

/** Moves files and queued questions. */
async function moveRest(chat: string, keeper: DraftKeeper): Promise<void> {
  await unsentFiles.open(chat);
  unsentFiles.move(chat, null);
  const owner = { id: chat, isTemporary: false };
  // Each is put before the others.
  for (const { id, text, attachments = [], whole = attachments } of (await questionQueues.read(owner)).toReversed()) {
    await unsentFiles.restore(null, whole);
    await moveText(chat, text, keeper);
    const areFilesKept = !unsentFiles.of(null).some(({ isUnkept }) => isUnkept === true);
    if (areFilesKept && !drafts.unkept.has(null)) await questionQueues.remove(owner, id);
  }
}
