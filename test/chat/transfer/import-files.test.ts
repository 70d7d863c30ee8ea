import { afterEach, expect, test } from 'vitest';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { createMemoryDatabase } from '../../../src/chat/storage/memory-database.ts';
import { importStrings as german } from '../../../src/chat/strings/german/transfer-strings.ts';
import { importStrings } from '../../../src/chat/strings/transfer-strings.ts';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import { importConversations } from '../../../src/chat/transfer/import-conversations.ts';
import { importFiles } from '../../../src/chat/transfer/import-files.ts';
import { readImportFile } from '../../../src/chat/transfer/read-import-file.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { PRODUCT_EXPORTS } from '../../support/samples/product-exports.ts';

const english = { ...importStrings };
afterEach(() => void Object.assign(importStrings, english));

function outcomeOf(...texts: readonly string[]): Promise<string> {
  const store = new ConversationStore(async () => createMemoryDatabase());
  const files = texts.map((text, index) => new File([text], `file-${index}.json`));
  return importFiles(files, store, (file, into) => importConversations(file, into, readImportFile));
}

const CHATGPT = PRODUCT_EXPORTS.ChatGPT;
const DAMAGED = JSON.stringify([
  { mapping: null, id: 'x' },
  { mapping: {} },
  { prompts: [] },
  ...(JSON.parse(CHATGPT) as []),
]);

test('what was left out is told with its numbers', async () => {
  expect(await outcomeOf(CHATGPT)).toBe('One chat imported. Left out: 3 images, 1 audio, 1 file.');
  expect(await outcomeOf(DAMAGED)).toBe(
    'One chat imported. One chat was left out: nothing is said there. One chat was left out as damaged. One entry was left out: this page does not know its form. Left out: 3 images, 1 audio, 1 file.',
  );
  expect(await outcomeOf(CHATGPT, PRODUCT_EXPORTS.Claude)).toBe(
    '2 chats imported. Left out: 5 images, 1 audio, 1 file.',
  );
});

test('the same is told in German', async () => {
  Object.assign(importStrings, german);
  expect(await outcomeOf(CHATGPT)).toBe('Ein Chat importiert. Ausgelassen: 3 Bilder, 1 Audio, 1 Datei.');
});

test('a file of unknown form is not called damaged, and the known forms are told', async () => {
  const told = await outcomeOf('[{"prompts":[]}]');
  expect(told).toMatch(
    /not an export that this page knows\..*ChatGPT.*Claude.*LibreChat.*Open WebUI.*llama-server.*LM Studio.*Jan/,
  );
  expect(told).not.toMatch(/damaged/);
});

test.each([
  ['English', english, 'One chat was already here, and got the messages that were missing.'],
  ['German', german, 'Ein Chat war bereits hier und bekam die Nachrichten, die fehlten.'],
])('a chat that got messages back is told in %s', async (_language, strings, told) => {
  Object.assign(importStrings, strings);
  const store = new ConversationStore(async () => createMemoryDatabase());
  const file = new File(
    [conversationFile([{ conversation: sampleConversation(), messages: [sampleQuestion(), sampleAnswer()] }])],
    'a.json',
  );
  const importFile = () => importFiles([file], store, (file, into) => importConversations(file, into, readImportFile));
  await importFile();
  await store.write('c1', [], {}, ['a1']);
  expect(await importFile()).toBe(told);
});
