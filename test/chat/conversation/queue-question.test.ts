import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Attachment } from '../../../src/chat/types/conversation.ts';
import { wholeFiles } from '../../../src/chat/attachments/whole-files.ts';
import { queueQuestion } from '../../../src/chat/conversation/composer/queued-questions.ts';
import { questionQueues } from '../../../src/chat/storage/drafts/question-queues.ts';
import { MemoryIdb, memoryKeyRange } from '../../support/fakes/memory-idb.ts';
import { MemoryStorage } from '../../support/fakes/memory-storage.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const idb = new MemoryIdb();
vi.mock('idb', () => ({ openDB: (...given: Parameters<MemoryIdb['openDB']>) => idb.openDB(...given) }));

beforeEach(() => {
  vi.stubGlobal('IDBKeyRange', memoryKeyRange);
  vi.stubGlobal('navigator', { locks: new MemoryLocks() });
  vi.stubGlobal('localStorage', new MemoryStorage());
});

afterEach(() => {
  questionQueues.forget();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const FILE: Attachment = { id: '1', kind: 'text', name: 'a.txt', size: 9, part: 'whole', text: 'All of the text' };
const PART: Attachment = { ...FILE, part: 'passages', text: 'the text' };
const SMALL: Attachment = { ...FILE, id: '2', name: 'b.txt', text: 'Small' };
const chat = (id: string, isTemporary = false) => ({ id, isTemporary });

test.each([
  ['of a chat', chat('a')],
  ['of a temporary chat', chat('b', true)],
])('a queued question %s has its passages, and its whole files for an edit', async (_, owner) => {
  wholeFiles.set(PART, FILE);
  await queueQuestion(owner, { text: 'Why?', attachments: [PART, SMALL] });
  // As when the page is loaded again.
  if (!owner.isTemporary) questionQueues.forget();
  const [queued] = await questionQueues.read(owner);
  expect(queued).toEqual({
    id: expect.any(String),
    text: 'Why?',
    attachments: [PART, SMALL],
    whole: [FILE, SMALL],
  });
});

test('a queued question whose files are sent whole is stored once', async () => {
  await queueQuestion(chat('d'), { text: 'Why?', attachments: [SMALL] });
  expect(await questionQueues.read(chat('d'))).toEqual([
    { id: expect.any(String), text: 'Why?', attachments: [SMALL] },
  ]);
});

test('a question is queued without its whole files if there is no room for them', async () => {
  wholeFiles.set(PART, FILE);
  const add = questionQueues.add.bind(questionQueues);
  vi.spyOn(questionQueues, 'add').mockImplementation(async (owner, asked) => {
    if (asked.whole !== undefined) throw new DOMException('No room left.', 'QuotaExceededError');
    return add(owner, asked);
  });
  await queueQuestion(chat('e'), { text: 'Why?', attachments: [PART] });
  expect(await questionQueues.read(chat('e'))).toMatchObject([{ text: 'Why?', attachments: [PART] }]);
});
