import { zipSync, strToU8 } from 'fflate';
import { expect, test, vi } from 'vitest';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { createMemoryDatabase } from '../../../src/chat/storage/memory-database.ts';
import { exportedChat, exportFile } from '../../../src/chat/transfer/conversation-file.ts';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import { importConversations } from '../../../src/chat/transfer/import-conversations.ts';
import { MAX_BYTES, readImportFile } from '../../../src/chat/transfer/read-import-file.ts';
import type { WholeConversation } from '../../../src/chat/types/whole-conversation.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { MemoryStorage } from '../../support/fakes/memory-storage.ts';
import { PRODUCT_EXPORTS } from '../../support/samples/product-exports.ts';

vi.stubGlobal('localStorage', new MemoryStorage());

const newStore = () => new ConversationStore(async () => createMemoryDatabase());
const importBlob = (file: Blob, store = newStore()) => importConversations(file, store, readImportFile);

const PRESETS = { list: [], forNewChats: null };
const HARD_TEXT = 'Lines:\n    },\n        {\n  ],\n\u2028{"a": [\r\n]} 😀 \ud800';
const CHATS: readonly WholeConversation[] = [
  { conversation: sampleConversation({ id: 'c0' }), messages: [] },
  {
    conversation: sampleConversation({ title: HARD_TEXT }),
    messages: [
      sampleQuestion({ text: HARD_TEXT }),
      sampleAnswer({ text: HARD_TEXT, sources: [{ file: 'f', name: 'n', text: HARD_TEXT }] }),
    ],
  },
];

const written = (chats: readonly WholeConversation[]): Blob => exportFile(chats.map(exportedChat), PRESETS);

test.each([[[]], [CHATS.slice(0, 1)], [CHATS.slice(1)], [CHATS]])(
  'a file that is written chat by chat is the same as one that is written at once',
  async (chats) => {
    expect(await written(chats).text()).toBe(conversationFile(chats, PRESETS).toWellFormed());
    expect(await exportFile(chats.map(exportedChat)).text()).toBe(conversationFile(chats).toWellFormed());
  },
);

test('the chats of a backup are read one by one, each as it was', async () => {
  const read: unknown[] = [];
  for await (const document of readImportFile(written(CHATS))) read.push(document);
  const { conversations, ...others } = JSON.parse(await written(CHATS).text()) as { conversations: [] };
  const { presets, ...ofChats } = others as unknown as { presets: unknown };
  expect(read).toEqual([
    { ...ofChats, conversations: [], presets },
    ...conversations.map((chat) => ({ ...ofChats, conversations: [chat] })),
  ]);
});

test.each([
  ['alone', (file: Blob) => file],
  ['packed', (file: Blob) => zipped(file)],
])('a backup that is larger than other files may be is imported, %s', async (_how, wrap) => {
  // Part of it cannot be packed, because an archive that grows too much is refused.
  const noise = Array.from({ length: 4 }, () => Buffer.from(crypto.getRandomValues(new Uint8Array(65_536))));
  const text = Buffer.concat(noise).toString('base64') + 'x'.repeat(16_000_000);
  const count = Math.ceil(MAX_BYTES / text.length) + 1;
  const chats = Array.from({ length: count }, (_, index) => {
    const [conversation, id] = [`c${index}`, `q${index}`];
    return {
      conversation: sampleConversation({ id: conversation, leaf: id }),
      messages: [sampleQuestion({ id, conversation, text })],
    };
  });
  const file = written(chats);
  expect(file.size).toBeGreaterThan(MAX_BYTES);
  expect(await importBlob(await wrap(file))).toMatchObject({ added: count, damaged: 0 });
});

test('a small archive does not unpack to any size by beginning like a backup', async () => {
  const begin = (await written(CHATS).text()).slice(0, 200);
  const file = new Blob([begin, new Uint8Array(MAX_BYTES)]);
  await expect(importBlob(await zipped(file))).rejects.toThrow(/256\sMB/);
});

test('a backup is read from an archive beside other chats', async () => {
  const archive = zipSync({
    'backup.json': strToU8(await written(SOUND).text()),
    'jan.json': strToU8(PRODUCT_EXPORTS.Jan),
    'settings.json': strToU8('{}'),
  });
  expect(await importBlob(new Blob([archive]))).toMatchObject({ added: SOUND.length + 1, damaged: 0, unknown: 0 });
});

const SOUND = [0, 1, 2].map((index) => ({
  conversation: sampleConversation({ id: `c${index}`, title: `Chat ${index}` }),
  messages: [sampleQuestion({ id: `q${index}`, text: `Why ${index}?` })],
}));

test.each([
  ['in a message', (text: string) => text.replace('"Why 1?"', '"Why')],
  ['in the fields of a chat', (text: string) => text.replace('"Chat 1"', '"Chat')],
  ['at the end of a message', (text: string) => text.replace(/(Why 1[^}]*\n {8})\}/, '$1')],
])('damage %s of a backup costs its chat, and no other', async (_where, damage) => {
  const store = newStore();
  expect(await importBlob(new Blob([damage(conversationFile(SOUND))]), store)).toMatchObject({ added: 2, damaged: 1 });
  expect((await store.conversations()).map(({ title }) => title)).toEqual(['Chat 0', 'Chat 2']);
});

test.each([0.3, 0.6, 0.9, 0.999])('of a backup that breaks off after %f of it nothing is added', async (part) => {
  const store = newStore();
  const text = conversationFile(SOUND);
  await expect(importBlob(new Blob([text.slice(0, text.length * part)]), store)).rejects.toThrow('damaged');
  expect(await store.conversations()).toEqual([]);
});

/** Packs a file into an archive. */
async function zipped(file: Blob): Promise<Blob> {
  const content = await new Response(file.stream().pipeThrough(new CompressionStream('deflate-raw'))).blob();
  const name = strToU8('backup.json');
  const numbers = [[2, 20], [2, 0], [2, 8], [4, 0], [4, 0], [4, content.size], [4, file.size], [2, name.length], [2, 0]] as const; // prettier-ignore
  const local = bytes([4, 0x04034b50], ...numbers);
  const listed = bytes([4, 0x02014b50], [2, 20], ...numbers, [2, 0], [2, 0], [2, 0], [4, 0], [4, 0]);
  const start = local.length + name.length + content.size;
  const end = bytes([4, 0x06054b50], [2, 0], [2, 0], [2, 1], [2, 1], [4, listed.length + name.length], [4, start], [2, 0]); // prettier-ignore
  return new Blob([local, name, content, listed, name, end]);
}

/** A file on the disk that counts the bytes that are read of it. */
class CountingBlob extends Blob {
  read = 0;

  override slice(...range: [number?, number?]): Blob {
    const part = super.slice(...range);
    const { size } = part;
    const counted =
      <Read extends () => unknown>(read: Read) =>
      () =>
        ((this.read += size), read.call(part)) as ReturnType<Read>;
    return Object.assign(part, {
      text: counted(part.text),
      arrayBuffer: counted(part.arrayBuffer),
      stream: counted(part.stream),
    });
  }

  override stream(): ReturnType<Blob['stream']> {
    this.read += this.size;
    return super.stream();
  }
}

test('of an archive only the chats are read, not the images beside them', async () => {
  const image = new Uint8Array(30_000_000);
  const archive = new CountingBlob([
    zipSync(
      {
        'dalle-generations/a.webp': image,
        'audio/b.wav': image,
        'message_feedback.json': new Uint8Array(5_000_000),
        'conversations.json': [strToU8(PRODUCT_EXPORTS.ChatGPT), { level: 6 }],
        'c.dat': image,
      },
      { level: 0 },
    ),
  ]);
  expect(await importBlob(archive)).toMatchObject({ added: 1 });
  expect(archive.read).toBeLessThan(200_000);
});

/** Writes numbers of 16, 32 and 64 bits; see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT. */
function bytes(...numbers: readonly (readonly [size: 2 | 4 | 8, value: number])[]): Uint8Array<ArrayBuffer> {
  const all = new DataView(new ArrayBuffer(numbers.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, value] of numbers) {
    if (size === 2) all.setUint16(at, value, true);
    else if (size === 4) all.setUint32(at, value, true);
    else all.setBigUint64(at, BigInt(value), true);
    at += size;
  }
  return new Uint8Array(all.buffer);
}

/** An archive as programs write it that have more than 4 GB to pack: its numbers are in fields of 64 bits. */
function largeArchive(name: string, content: Uint8Array<ArrayBuffer>): Blob {
  const title = strToU8(name);
  const { length: size } = content;
  const head = [[2, 45], [2, 0], [2, 0], [4, 0], [4, 0]] as const; // prettier-ignore
  const local = bytes([4, 0x04034b50], ...head, [4, size], [4, size], [2, title.length], [2, 0]);
  const listed = bytes([4, 0x02014b50], [2, 45], ...head, [4, 0xffff_ffff], [4, 0xffff_ffff], [2, title.length], [2, 28], [2, 0], [2, 0], [2, 0], [4, 0], [4, 0xffff_ffff]); // prettier-ignore
  const extra = bytes([2, 1], [2, 24], [8, size], [8, size], [8, 0]);
  const start = local.length + title.length + size;
  const listSize = listed.length + title.length + extra.length;
  const largeEnd = bytes([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, 1], [8, 1], [8, listSize], [8, start]); // prettier-ignore
  const place = bytes([4, 0x07064b50], [4, 0], [8, start + listSize], [4, 1]);
  const end = bytes([4, 0x06054b50], [2, 0], [2, 0], [2, 0xffff], [2, 0xffff], [4, 0xffff_ffff], [4, 0xffff_ffff], [2, 0]); // prettier-ignore
  return new Blob([local, title, content, listed, title, extra, largeEnd, place, end]);
}

test('an archive in the form for more than 4 GB is read', async () => {
  const archive = largeArchive('conversations.json', strToU8(PRODUCT_EXPORTS.ChatGPT) as Uint8Array<ArrayBuffer>);
  expect(await importBlob(archive)).toMatchObject({ added: 1 });
});
