import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { createMemoryDatabase } from '../../../src/chat/storage/memory-database.ts';
import { MessageTree } from '../../../src/chat/storage/message-tree.ts';
import { importConversations } from '../../../src/chat/transfer/import-conversations.ts';
import { readImportFile } from '../../../src/chat/transfer/read-import-file.ts';
import { chatGptText } from '../../support/samples/foreign-exports.ts';
import { chatGptChat, PRODUCT_EXPORTS } from '../../support/samples/product-exports.ts';

/** Damaged chats are described on the console, one line each. */
vi.spyOn(console, 'info').mockImplementation(() => {});

const FILES = Object.values(PRODUCT_EXPORTS);
const SENTENCE = /^[A-Z][^{}[\]]*\.$/;
const [SOUND] = chatGptChat([chatGptText('user', 'Sound?', null), chatGptText('assistant', 'Sound.', null)], {
  title: 'Sound',
});

/** The chats of a file, in the form in which one list can hold those of all products. */
function chatsIn(file: string): readonly unknown[] {
  if (file.includes('}\n{')) return file.split('\n').map((line) => JSON.parse(line) as unknown);
  const value = JSON.parse(file) as unknown;
  return Array.isArray(value) ? value : [value];
}

/** Replaces or removes values in JSON, chosen by numbers. */
function mutated(value: unknown, [at = 0, ...rest]: readonly number[], replacement: unknown): unknown {
  if (typeof value !== 'object' || value === null) return replacement;
  const names = Object.keys(value);
  const name = names[at % Math.max(1, names.length)];
  if (name === undefined || rest.length === 0) return replacement;
  const inner = mutated((value as Record<string, unknown>)[name], rest, replacement);
  if (Array.isArray(value)) return value.map((entry, index) => (String(index) === name ? inner : (entry as unknown)));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) =>
      key === name ? (inner === undefined ? [] : [[key, inner]]) : [[key, field]],
    ),
  );
}

async function importText(text: string) {
  const store = new ConversationStore(async () => createMemoryDatabase());
  const failure = await importConversations(new Blob([text]), store, readImportFile).then(
    () => null,
    ({ message }: Error) => message,
  );
  const conversations = await store.conversations();
  for (const { id, leaf } of conversations) {
    expect(new MessageTree(await store.messages(id)).path(leaf).length).toBeGreaterThan(0);
  }
  return { failure, titles: conversations.map(({ title }) => title) };
}

const replacement = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    7,
    -1,
    true,
    '',
    'x',
    '\uE200',
    '\uE200entity\uE202[',
    '<think>',
    '<details type="reasoning">',
    'data:image/png;base64,x',
    '__proto__',
  ),
  fc
    .anything({ maxDepth: 2, withNullPrototype: false })
    .map((value) => JSON.parse(JSON.stringify(value) ?? 'null') as unknown),
);

test('of 1,000 mutated exports none is an unexplained failure, and none costs the other chats', async () => {
  const place = fc.array(fc.nat(40), { minLength: 1, maxLength: 9 });
  const change = fc.record({ place, replacement });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...FILES),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async (file, changes) => {
        const chats = changes.reduce<unknown>(
          (value, one) => mutated(value, one.place, one.replacement),
          chatsIn(file),
        );
        const text = JSON.stringify([...(Array.isArray(chats) ? (chats as unknown[]) : [chats]), SOUND]);
        const { failure, titles } = await importText(text);
        expect(failure).toBeNull();
        expect(titles).toContain('Sound');
      },
    ),
    { numRuns: 1000 },
  );
});

test('of 500 files with changed characters each is imported or refused with an explanation', async () => {
  const cut = fc.record({
    from: fc.nat(5000),
    length: fc.nat(40),
    put: fc.constantFrom('', '"', '}', '\n', '\u0000', 'é', '[[[['),
  });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...FILES), cut, async (file, { from, length, put }) => {
      const at = from % file.length;
      const { failure } = await importText(file.slice(0, at) + put + file.slice(at + length));
      expect(failure ?? 'It was imported.').toMatch(SENTENCE);
    }),
    { numRuns: 500 },
  );
});

test('a damaged line of JSON lines is counted, and the others are read', async () => {
  const lines = PRODUCT_EXPORTS['llama-server (JSON lines)'].split('\n');
  const store = new ConversationStore(async () => createMemoryDatabase());
  const text = [...lines, '{"type":"message","mess'].join('\n');
  expect(await importConversations(new Blob([text]), store, readImportFile)).toMatchObject({ added: 1, damaged: 1 });
});

test('chats of several products in one list are all read, and an entry of unknown form is counted', async () => {
  const store = new ConversationStore(async () => createMemoryDatabase());
  const chats = ['ChatGPT', 'Claude', 'LM Studio', 'Jan'] as const;
  const text = JSON.stringify([...chats.flatMap((name) => chatsIn(PRODUCT_EXPORTS[name])), { prompts: [] }, 7]);
  const outcome = await importConversations(new Blob([text]), store, readImportFile);
  expect(outcome).toMatchObject({ added: 4, damaged: 0, unknown: 2 });
});

test('a chat that is nested too deeply to be read is counted, and costs no other', async () => {
  const nested = `${'['.repeat(100_000)}"x"${']'.repeat(100_000)}`;
  const deep = `{"chat_messages":[{"sender":"human","content":${nested}}]}`;
  const store = new ConversationStore(async () => createMemoryDatabase());
  const file = new Blob([`[${deep},${JSON.stringify(SOUND)}]`]);
  expect(await importConversations(file, store, readImportFile)).toMatchObject({ added: 1, damaged: 1 });
});
