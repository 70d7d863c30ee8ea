import type { ConversationStore } from '../storage/conversation-store.ts';
import { addPresets } from '../storage/presets.ts';
import { formatBytes } from '../strings/format.ts';
import { importStrings } from '../strings/transfer-strings.ts';
import { listOf, recordOf } from '../../shared/json-values.ts';
import { addConversation } from './add-conversation.ts';
import { listConversations, readConversation } from './conversation-file.ts';
import { markdownOf } from './markdown-form.ts';
import { readConversationMarkdown } from './read-conversation-markdown.ts';
import { chatsInTables } from './foreign/database-tables.ts';
import { isForeignChat, readForeignConversation } from './foreign/foreign-formats.ts';
import { isMessage } from './foreign/plain-messages.ts';
import { NOTHING_LEFT_OUT, sumOfLeftOut, type LeftOut } from './left-out.ts';
import { ImportFailure, MAX_BYTES } from './read-import-file.ts';
import { readInWorker } from './read-in-worker.ts';
import type { ReadConversation } from './read-conversation.ts';

/** Counts of what an import added and left out. */
export interface ImportOutcome {
  readonly added: number;
  /** Conversations that were already on this device with all messages of the file, and so were not added. */
  readonly present: number;
  /** Conversations that were already on this device, and got messages of the file that were missing. */
  readonly completed: number;
  readonly empty: number;
  readonly damaged: number;
  /** Entries that are no chat of a known product. */
  readonly unknown: number;
  /** Parts of the added chats that were left out. */
  readonly left: LeftOut;
}

/**
 * Imports an export of Tabserve or of another product. Overwrites nothing; see {@link addConversation}.
 * @param read Reads the documents of the file. Default: in a worker.
 * @throws Error with a message for the user. If the file is invalid, nothing was added; if storage is full, the message
 * counts what was added.
 */
export async function importConversations(
  file: Blob,
  store: ConversationStore,
  read: (file: Blob) => AsyncIterable<unknown> = readInWorker,
): Promise<ImportOutcome> {
  const outcome = { added: 0, present: 0, completed: 0, empty: 0, damaged: 0, unknown: 0, left: NOTHING_LEFT_OUT };
  const presets: string[] = [];
  let entries = 0;
  try {
    for await (const document of read(file)) {
      presets.push(...presetsIn(document));
      const { exported, read } = conversationsIn(document);
      entries += exported.length;
      for (const conversation of exported) {
        const { whole, left } = readSafely(conversation, read);
        if (typeof whole === 'string') outcome[whole] += 1;
        else {
          const done = await addConversation(whole, store).catch((thrown: unknown) =>
            Promise.reject(noRoom(thrown, outcome.added)),
          );
          outcome[done] += 1;
          if (done === 'added') outcome.left = sumOfLeftOut([outcome.left, left]);
        }
      }
    }
  } catch (thrown) {
    throw thrown instanceof ImportFailure ? new Error(wordsOf(thrown), { cause: thrown }) : thrown;
  }
  if (presets.length === 0 && entries === 0) throw new Error(importStrings.noChats);
  const { unknown, ...others } = outcome;
  if (unknown > 0 && others.added + others.present + others.completed + others.empty + others.damaged === 0)
    throw new Error(importStrings.otherFormat);
  try {
    for (const text of presets) addPresets(text);
  } catch (thrown) {
    throw isQuotaExceeded(thrown) ? new Error(importStrings.noRoomForPresets, { cause: thrown }) : thrown;
  }
  return outcome;
}

function noRoom(thrown: unknown, added: number): unknown {
  return isQuotaExceeded(thrown) ? new Error(importStrings.noRoom(added), { cause: thrown }) : thrown;
}

function isQuotaExceeded(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'QuotaExceededError';
}

function wordsOf({ reason }: ImportFailure): string {
  return reason === 'tooLarge' ? importStrings.tooLarge(formatBytes(MAX_BYTES)) : importStrings[reason];
}

/**
 * Returns the presets in a file of Tabserve as JSON that has not been validated; none for other files.
 * @throws Error with a message for the user if the presets are nested too deeply to be written.
 */
function presetsIn(file: unknown): readonly string[] {
  const isOwn = typeof file === 'object' && file !== null && listConversations(file) !== null;
  if (!isOwn || !('presets' in file)) return [];
  try {
    return [JSON.stringify(file.presets)];
  } catch (thrown) {
    throw new Error(importStrings.unreadable, { cause: thrown });
  }
}

interface ConversationsInFile {
  readonly exported: readonly unknown[];
  readonly read: (exported: unknown) => ReadConversation;
}

/** Reads a chat. One that breaks its reader counts as damaged, so that the others are imported. */
function readSafely(exported: unknown, read: ConversationsInFile['read']): ReadConversation {
  try {
    return read(exported);
  } catch (thrown) {
    console.info('A chat of the file could not be read.', thrown);
    return { whole: 'damaged', left: NOTHING_LEFT_OUT };
  }
}

function conversationsIn(file: unknown): ConversationsInFile {
  const own = typeof file === 'object' && file !== null ? listConversations(file) : null;
  if (own !== null) return { exported: own, read: readConversation };
  const markdown = markdownOf(file);
  if (markdown !== null) return { exported: [markdown], read: () => readConversationMarkdown(markdown) };
  const exported = isListOfChats(file) ? file : (chatsInTables(file) ?? foreignChatsIn(file));
  return { exported, read: readForeignConversation };
}

/** Whether a file is a list of chats of known products. Their fields may look like rows of tables. */
function isListOfChats(file: unknown): file is readonly unknown[] {
  return Array.isArray(file) && file.length > 0 && file.every(isForeignChat) && !file.every(isMessage);
}

function foreignChatsIn(file: unknown): readonly unknown[] {
  const list = Array.isArray(file) ? (file as readonly unknown[]) : chatsIn(file);
  // A list of messages is one chat; any other list is one of chats.
  const isChat = list !== null && list.length > 0 && list.every(isMessage);
  return isChat ? [{ messages: list }] : (list ?? chatsWithin(file) ?? [file]);
}

/** Returns the chats of a file that is an object with a list of them; null for any other. */
function chatsIn(file: unknown): readonly unknown[] | null {
  const fields = recordOf(file);
  const lists = [fields, recordOf(fields['data'])].flatMap((one) => [
    one['conversations'],
    one['chats'],
    one['threads'],
  ]);
  return lists.map(listOf).find((list) => list.length > 0) ?? null;
}

/** Levels of objects and lists in which chats are looked for. */
const MAX_DEPTH = 3;

/**
 * Returns the chats in the fields of a file, in which some products store chats by their ids or among their settings;
 * null if it has none, or is a chat itself.
 */
function chatsWithin(file: unknown): readonly unknown[] | null {
  if (isForeignChat(file)) return null;
  const found = (value: unknown, depth: number): readonly unknown[] => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
    // One product keeps the earlier threads of a chat in the chat.
    if (isForeignChat(value)) return [value, ...listOf(recordOf(value)['threads']).filter(isForeignChat)];
    return Object.values(value).flatMap((field) => found(field, depth + 1));
  };
  const chats = found(file, 0);
  return chats.length > 0 ? chats : null;
}
