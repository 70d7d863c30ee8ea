import { afterEach, expect, test, vi } from 'vitest';
import { AnswerRunner } from '../../../src/chat/answers/answer-runner.ts';
import type { TrayItem } from '../../../src/chat/attachments/tray-item.ts';
import { unsentFiles } from '../../../src/chat/attachments/unsent-files.ts';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { drafts } from '../../../src/chat/storage/drafts/drafts.ts';
import {
  endTemporarySession,
  hasContents,
  mayReload,
  openTemporarySession,
  temporarySession,
} from '../../../src/chat/temporary/temporary-session.ts';
import { differences } from '../../../src/chat/temporary/count-storage.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';

/** What the page has asked. Each question is declined. */
const asked = vi.hoisted((): string[] => []);
vi.mock('../../../src/chat/common/ask-in-dialog.ts', () => ({
  askConfirmation: async ({ heading }: { heading: string }) => {
    asked.push(heading);
    return false;
  },
}));

afterEach(() => {
  asked.length = 0;
  endTemporarySession();
  vi.unstubAllGlobals();
});

function begin() {
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('indexedDB', { databases: async () => [] });
  vi.stubGlobal('caches', { keys: async () => [] });
  vi.stubGlobal('localStorage', { length: 0 });
  vi.stubGlobal('sessionStorage', { length: 0 });
  vi.stubGlobal('navigator', { locks: { request: (_name: string, run: () => unknown) => run() } });
  const usual = new AnswerRunner(new ConversationStore(), async () => {});
  return { usual, session: openTemporarySession(usual) };
}

test('a temporary chat is not announced to other tabs, and its request forbids logging', async () => {
  const told: string[] = [];
  const other = new BroadcastChannel('tabserve-chat');
  // Other tests may announce changes of their chats on the same channel.
  other.addEventListener('message', ({ data }: MessageEvent<{ conversation: string }>) => told.push(data.conversation));
  const asked: Headers[] = [];
  vi.stubGlobal('fetch', async (_address: string, { headers }: { headers: Headers }) => {
    asked.push(headers);
    return Response.json({ error: { code: 'model_not_found', message: 'None.', param: null } }, { status: 404 });
  });
  const { session } = begin();
  const conversation = 'told-to-nobody';
  const question = sampleQuestion({ conversation });
  const answer = sampleAnswer({ conversation, text: '', state: 'running' });
  await session.store.add(sampleConversation({ id: conversation }), [question, answer]);
  session.answers.begin(answer, [question]);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const names = [...asked[0]!.keys()].filter((name) => name.startsWith('x-'));
  expect(names).toEqual(['x-tabserve-log']);
  expect(asked[0]!.get('x-tabserve-log')).toBe('memory');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(told).not.toContain(conversation);
  other.close();
});

test('a temporary session stays the same until it is ended, and is then gone', async () => {
  const { session } = begin();
  await session.store.add(sampleConversation(), [sampleQuestion()]);
  expect(begin().session).toBe(session);
  expect(temporarySession()).toBe(session);
  endTemporarySession();
  expect(temporarySession()).toBeNull();
  expect(await begin().session.store.conversations()).toEqual([]);
});

test('a temporary session has contents from the first typed word to its end', async () => {
  for (const fill of [
    async () => drafts.write(undefined, 'A word'),
    () => unsentFiles.set(undefined, [{ id: 'f', removal: new AbortController() } as TrayItem]),
    () => temporarySession()!.store.add(sampleConversation(), [sampleQuestion()]),
  ]) {
    begin();
    expect(await hasContents()).toBe(false);
    await fill();
    expect(await hasContents()).toBe(true);
    endTemporarySession();
    expect(await hasContents()).toBe(false);
  }
});

test('a page that must reload waits for the end of its temporary chat, and is notified of it', () => {
  const answers = begin().usual;
  expect(answers.survivesReload).toBe(false);
  const told: boolean[] = [];
  answers.addEventListener('change', () => told.push(answers.survivesReload));
  endTemporarySession();
  expect(told).toEqual([true]);
});

test('before a reload that would lose chats the page asks, and reloads by itself only if it loses none', async () => {
  const { usual } = begin();
  const kept = new ConversationStore(null);
  expect(await mayReload(kept)).toBe(false);
  expect(asked).toEqual(['End the temporary chat?']);
  endTemporarySession();
  expect(await mayReload(kept)).toBe(true);
  expect(usual.survivesReload).toBe(true);

  const inMemory = new ConversationStore(() => Promise.reject(new DOMException('No.', 'UnknownError')));
  const answers = new AnswerRunner(inMemory, async () => {});
  expect(await inMemory.conversations()).toEqual([]);
  expect([answers.survivesReload, await mayReload(inMemory)]).toEqual([false, true]);
  await inMemory.add(sampleConversation(), []);
  expect([answers.survivesReload, await mayReload(inMemory)]).toEqual([false, false]);
  expect(asked).toEqual(['End the temporary chat?', 'Lose the chats of this page?']);
});

test('storage counts differ if a database or cache has more or fewer entries, or exists at one time only', () => {
  const before = [
    { place: 'same', entries: 1 },
    { place: 'fewer', entries: 2 },
    { place: 'gone', entries: 3 },
    { place: 'empty', entries: 0 },
  ];
  const now = [
    { place: 'same', entries: 1 },
    { place: 'fewer', entries: 1 },
    { place: 'new', entries: 1 },
  ];
  expect(differences(before, now)).toEqual(['fewer', 'gone', 'new']);
});
