import { expect, test } from 'vitest';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { createMemoryDatabase } from '../../../src/chat/storage/memory-database.ts';
import { importConversations } from '../../../src/chat/transfer/import-conversations.ts';
import { NOTHING_LEFT_OUT, type LeftOut } from '../../../src/chat/transfer/left-out.ts';
import { readImportFile } from '../../../src/chat/transfer/read-import-file.ts';
import { PRODUCT_EXPORTS } from '../../support/samples/product-exports.ts';

/** The words of a JSON text, in which line breaks are escaped. */
const wordsOf = (json: string): string[] => [...new Set(json.replace(/\\+n/g, ' ').match(/\bw\d+\b/g))].toSorted();

test.each<[product: keyof typeof PRODUCT_EXPORTS, left: Partial<LeftOut>]>([
  ['ChatGPT', { images: 3, audio: 1, files: 1 }],
  ['Claude', { images: 2 }],
  ['LibreChat', { images: 1, files: 1 }],
  ['Open WebUI', { files: 1 }],
  ['llama-server', { images: 1, audio: 1 }],
  ['llama-server (JSON lines)', { images: 1, audio: 1 }],
  ['LM Studio', { images: 1 }],
  ['Jan', {}],
  ['Jan (JSON lines)', {}],
  ['a list of messages', {}],
])('every word of an export of %s is in the imported chat, and what was left out is counted', async (product, left) => {
  const store = new ConversationStore(async () => createMemoryDatabase());
  const file = PRODUCT_EXPORTS[product];
  const outcome = await importConversations(new Blob([file]), store, readImportFile);
  expect(outcome).toEqual({
    added: 1,
    present: 0,
    completed: 0,
    empty: 0,
    damaged: 0,
    unknown: 0,
    left: { ...NOTHING_LEFT_OUT, ...left },
  });
  const [conversation] = await store.conversations();
  const messages = await store.messages(conversation!.id);
  expect(wordsOf(JSON.stringify([conversation, messages]))).toEqual(wordsOf(file));
  expect(messages.map(({ role }) => role)).toContain('assistant');
  expect(conversation!.leaf).not.toBeNull();
});
