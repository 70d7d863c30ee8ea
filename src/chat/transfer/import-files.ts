import '../common/timed-notice.ts';
import { errorMessage } from '../../shared/error-message.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import { importStrings } from '../strings/transfer-strings.ts';
import { importConversations, type ImportOutcome } from './import-conversations.ts';
import { LEFT_OUT_KINDS, sumOfLeftOut } from './left-out.ts';

/** Number of failures that are described; further failures are only counted. */
const MAX_FAILURES = 3;

/**
 * Imports files one after the other, and returns a description of the outcome for the user; see
 * {@link importConversations}. Never rejects: if a file fails, it is named in the description, and the others are
 * imported.
 */
export async function importFiles(
  files: readonly File[],
  store: ConversationStore,
  importFile: typeof importConversations = importConversations,
): Promise<string> {
  let total: ImportOutcome | null = null;
  const failures: string[] = [];
  for (const file of files) {
    try {
      total = sum(total, await importFile(file, store));
    } catch (error) {
      console.info('A file was not imported.', error);
      const reason = errorMessage(error);
      failures.push(files.length === 1 ? importStrings.failed(reason) : importStrings.failedOf(file.name, reason));
    }
  }
  const more = failures.length - MAX_FAILURES;
  return [
    ...(total === null ? [] : [wordsOf(total)]),
    ...failures.slice(0, MAX_FAILURES),
    ...(more > 0 ? [importStrings.moreFailed(more)] : []),
  ].join(' ');
}

function sum(total: ImportOutcome | null, outcome: ImportOutcome): ImportOutcome {
  if (total === null) return outcome;
  return {
    added: total.added + outcome.added,
    present: total.present + outcome.present,
    completed: total.completed + outcome.completed,
    empty: total.empty + outcome.empty,
    damaged: total.damaged + outcome.damaged,
    unknown: total.unknown + outcome.unknown,
    left: sumOfLeftOut([total.left, outcome.left]),
  };
}

function wordsOf(outcome: ImportOutcome): string {
  const { added, present, completed, left } = outcome;
  const chats = (['empty', 'damaged', 'unknown'] as const).filter((kind) => outcome[kind] > 0);
  const parts = LEFT_OUT_KINDS.filter((kind) => left[kind] > 0).map((kind) => importStrings[kind](left[kind]));
  return [
    ...(added + present > 0 || completed === 0 ? [importStrings.added(added, present)] : []),
    ...(completed > 0 ? [importStrings.completed(completed)] : []),
    ...chats.map((kind) => importStrings[kind](outcome[kind])),
    ...(parts.length === 0 ? [] : [importStrings.leftOut(parts.join(', '))]),
  ].join(' ');
}
