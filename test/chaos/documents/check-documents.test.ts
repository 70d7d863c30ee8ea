import { beforeEach, expect, test } from 'vitest';
import { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';
import { checkEndpoint } from './check-endpoint.ts';
import { contentOf, DocumentLedger, type LedgerFile, type LedgerStore } from './document-ledger.ts';

let endpoint: DocumentEndpoint;
let ledger: DocumentLedger;
let file: LedgerFile;
let other: LedgerFile;
let store: LedgerStore;

const check = () => checkEndpoint(endpoint, ledger);

const uploaded = async (parts: number): Promise<LedgerFile> => {
  const made = ledger.addFile(parts, true);
  made.id = await endpoint.uploaded(contentOf(made), made.name);
  made.state = 'there';
  return made;
};

beforeEach(async () => {
  endpoint = new DocumentEndpoint();
  ledger = new DocumentLedger(0);
  [file, other] = [await uploaded(3), await uploaded(1)];
  store = ledger.addStore();
  const body = { name: store.name, file_ids: [file.id, other.id] };
  store.id = (await endpoint.json<{ id: string }>('POST', '/vector_stores', body)).id;
  store.state = 'there';
  for (const made of [file, other]) store.files.set(made, 'there');
  await endpoint.indexed(store.id);
});

test('nothing is wrong with what is whole, or was deleted as a whole', async () => {
  expect(await check()).toMatchObject({ defects: [], files: 2, stores: 1, indexed: 2 });
  await endpoint.json('DELETE', `/files/${file.id}`);
  file.state = 'unsure';
  expect(await check()).toMatchObject({ defects: [], files: 1, indexed: 1 });
});

test.each<[string, () => unknown, ...RegExp[]]>([
  ['a file is lost', () => endpoint.json('DELETE', `/files/${file.id}`), /file notes-\d+\.txt is lost/],
  ['a content is cut', () => endpoint.stored.contents.set(file.id!, new Blob(['# Part'])), /is not whole/],
  ['a deleted file is there', () => (file.state = 'gone'), /was deleted, and is there/],
  ['a file belongs to nobody', () => endpoint.uploaded('Bread.', 'bread.txt'), /bread\.txt belongs to nobody/],
  [
    'a file is lost from its store',
    () => endpoint.json('DELETE', `/vector_stores/${store.id}/files/${file.id}`),
    /is lost from/,
  ],
  ['a store is lost', () => endpoint.json('DELETE', `/vector_stores/${store.id}`), /store store-\d+ is lost/],
  ['a removed file is still in its store', () => store.files.set(file, 'gone'), /is still in store/],
  ['a deleted file has left bytes', () => endpoint.stored.contents.set('left', new Blob(['a'])), /blobs for \d+ files/],
  [
    'a deleted file has left words',
    async () => {
      await endpoint.json('DELETE', `/files/${other.id}`);
      other.state = 'gone';
      endpoint.stored.contents.set('left', new Blob([contentOf(other)]));
    },
    /blobs for \d+ files/,
    /Of deleted files there is \w+ in left/,
  ],
])('the check tells that %s', async (_, damage, ...defects) => {
  await damage();
  expect((await check()).defects).toEqual(defects.map((defect) => expect.stringMatching(defect)));
});
