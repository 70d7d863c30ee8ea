import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StoredQuestion, StoredText } from '../../../../src/chat/storage/drafts/draft-database.ts';
import { isTab, NO_TAB } from '../../../../src/chat/storage/drafts/tab-identity.ts';
import { MemoryStorage } from '../../../support/fakes/memory-storage.ts';
import { MemoryLocks } from '../../../support/fakes/web-locks.ts';

/** What the database has; null before it is created. It outlives the pages that open it. */
let stored: { readonly texts: StoredText[]; readonly questions: StoredQuestion[] } | null;
let isFull: boolean;

/** Opens the database in memory. It has only those parts of the interface that are used when it is opened. */
async function openDB(_name: string, _version: number, { upgrade }: { upgrade(created: object): void }) {
  if (stored === null) upgrade({ createObjectStore: () => ({ createIndex: () => {} }) });
  const values = (stored ??= { texts: [], questions: [] });
  const objectStore = (name: 'texts' | 'questions') => ({
    put: async (value: never) => {
      if (isFull) throw new DOMException('No room left.', 'QuotaExceededError');
      values[name].push(value);
    },
  });
  return { addEventListener: () => {}, transaction: () => ({ objectStore, done: Promise.resolve() }) };
}

vi.mock('idb', () => ({ openDB: (...given: Parameters<typeof openDB>) => openDB(...given) }));

const OLDER = {
  'tabserve-draft-new': 'Begun',
  'tabserve-draft-c': 'More about Rome',
  'tabserve-queue-c': JSON.stringify([
    { id: 'x', text: 'And Paris?' },
    { id: 'y', text: 'And Oslo?' },
  ]),
  'tabserve-queue-broken': '{',
  'tabserve-queue-no-list': 'null',
  'tabserve-files-c': '',
};
const OTHERS = { 'tabserve-files': '', 'tabserve-last-model': 'pocket' };

beforeEach(() => {
  stored = null;
  isFull = false;
  vi.stubGlobal('navigator', { locks: new MemoryLocks() });
  vi.spyOn(console, 'info').mockReturnValue();
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Loads a page of its own, which has not opened the database. */
async function loadPage() {
  vi.resetModules();
  return (await import('../../../../src/chat/storage/drafts/draft-database.ts')).draftConnection;
}

async function openInPage(): Promise<void> {
  await (await loadPage()).open();
}

test('drafts and queues of an older build are moved from local storage, whose other entries stay', async () => {
  vi.stubGlobal('localStorage', new MemoryStorage({ ...OLDER, ...OTHERS }));
  await openInPage();
  expect(stored).toEqual({
    texts: [
      { owner: NO_TAB, tab: NO_TAB, text: 'Begun', changed: expect.any(Number) },
      { owner: 'c', tab: NO_TAB, text: 'More about Rome', changed: expect.any(Number) },
    ],
    questions: [
      { id: 'x', text: 'And Paris?', conversation: 'c', added: 0 },
      { id: 'y', text: 'And Oslo?', conversation: 'c', added: 1 },
    ],
  });
  expect({ ...localStorage }).toEqual(OTHERS);
});

test('a draft that a tab of an older build writes later is moved too, as that of a closed tab of its own', async () => {
  vi.stubGlobal('localStorage', new MemoryStorage());
  await openInPage();
  localStorage.setItem('tabserve-draft-new', 'Written later');
  await openInPage();
  await openInPage();
  expect(stored?.texts).toEqual([
    { owner: expect.any(String), tab: expect.any(String), text: 'Written later', changed: expect.any(Number) },
  ]);
  const [{ owner, tab }] = stored!.texts as [StoredText];
  expect(owner).toBe(tab);
  expect(owner).not.toBe(NO_TAB);
  expect(isTab(owner)).toBe(true);
  expect({ ...localStorage }).toEqual({});
});

test('two pages that open the database at once move each draft once', async () => {
  vi.stubGlobal('localStorage', new MemoryStorage(OLDER));
  const pages = [await loadPage(), await loadPage()];
  await Promise.all(pages.map((page) => page.open()));
  expect(stored?.texts).toHaveLength(2);
  expect(stored?.questions).toHaveLength(2);
});

test('without room in the database, drafts of an older build stay in local storage until there is some', async () => {
  vi.stubGlobal('localStorage', new MemoryStorage(OLDER));
  isFull = true;
  await openInPage();
  expect({ ...localStorage }).toEqual(OLDER);
  isFull = false;
  await openInPage();
  expect(stored?.texts.map(({ text }) => text)).toEqual(['Begun', 'More about Rome']);
  expect({ ...localStorage }).toEqual({});
});
