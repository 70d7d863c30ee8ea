import '../common/timed-notice.ts';
import { errorMessage } from '../../shared/error-message.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import { importStrings } from '../strings/transfer.ts';
import { importConversations, type ImportOutcome } from './import-conversations.ts';

/** Imports a file and describes the outcome for the user; see {@link importConversations}. Never rejects. */
export async function tellImport(file: Blob, store: ConversationStore): Promise<string> {
  try {
    return wordsOf(await importConversations(file, store));
  } catch (error) {
    console.info('A file was not imported.', error);
    return importStrings.failed(errorMessage(error));
  }
}

function wordsOf({ added, present, ...left }: ImportOutcome): string {
  const parts = ['empty', 'damaged', 'files', 'steps'] as const;
  const leftOut = parts.filter((part) => left[part] > 0).map((part) => importStrings[part](left[part]));
  return [importStrings.added(added, present), ...leftOut].join(' ');
}
