import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { AnswerRunner } from '../../../src/chat/answers/answer-runner.ts';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import type { Answer } from '../../../src/chat/types/conversation.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const PATH = [sampleQuestion({ id: 'q', conversation: 'c', parent: null, text: 'Why?' })];
const CUT_OFF = sampleAnswer({ id: 'a', conversation: 'c', parent: 'q', model: 'a', text: 'One', state: 'stopped' });
const PATIENTLY = { interval: 5, timeout: 20_000 };

let store: ConversationStore;

beforeEach(() => {
  vi.stubGlobal('navigator', { locks: new MemoryLocks() });
  vi.stubGlobal('addEventListener', () => {});
  store = new ConversationStore(null);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const full = () => Promise.reject(new DOMException('No room left.', 'QuotaExceededError'));

const stored = async () => (await store.messages('c')).find(({ id }) => id === 'a') as Answer;

/** Opens a tab whose requests `respond` answers. */
function openTab(respond: () => Response | Promise<Response>): AnswerRunner {
  const answers = new AnswerRunner(
    store,
    async () => {},
    async () => respond(),
  );
  onTestFinished(() => answers.end());
  return answers;
}

/** A stream of an answer whose pieces are sent by calls. */
function openStream() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  const send = (data: string) => controller.enqueue(new TextEncoder().encode(`data: ${data}\n\n`));
  const chunk = (delta: object, finish_reason: string | null = null) =>
    send(JSON.stringify({ id: 'chatcmpl-1', model: 'a', choices: [{ index: 0, delta, finish_reason }] }));
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    chunk,
    end: () => {
      chunk({}, 'stop');
      send('[DONE]');
      controller.close();
    },
  };
}

test('an answer that was stopped while the model was thinking is thought out anew when it continues', async () => {
  const thought = { ...CUT_OFF, text: '', thinking: 'Let me see.' };
  await store.add(sampleConversation({ id: 'c', leaf: 'a' }), [...PATH, thought]);
  const { response, chunk, end } = openStream();
  openTab(() => response).continue(thought, PATH);
  chunk({ reasoning_content: 'Let me see. Yes.' });
  chunk({ content: 'Because.' });
  end();
  await vi.waitUntil(async () => (await stored()).state === 'complete', PATIENTLY);
  expect(await stored()).toMatchObject({ thinking: 'Let me see. Yes.', text: 'Because.' });
});

test('an answer that another tab has continued meanwhile is not replaced by its beginning', async () => {
  await store.add(sampleConversation({ id: 'c', leaf: 'a' }), [...PATH, CUT_OFF]);
  const { response, chunk, end } = openStream();
  const asked = vi.fn<() => Response>(() => new Response('', { status: 500 }));
  openTab(() => response).continue(CUT_OFF, PATH);
  const other = openTab(asked);
  other.continue(CUT_OFF, PATH);
  chunk({ content: 'One' });
  chunk({ content: ' and two' });
  end();
  await vi.waitUntil(() => other.get('a') === undefined, PATIENTLY);
  expect(asked).not.toHaveBeenCalled();
  expect(await stored()).toMatchObject({ text: 'One and two', state: 'complete' });
});

test('other tabs see at once that an answer continues', async () => {
  await store.add(sampleConversation({ id: 'c', leaf: 'a' }), [...PATH, CUT_OFF]);
  openTab(() => new Promise(() => {})).continue(CUT_OFF, PATH);
  await vi.waitUntil(async () => (await stored()).state === 'running', PATIENTLY);
  expect(await stored()).toMatchObject({ text: 'One' });
});

test('an answer grows on the device also while the browser holds back the timers of a hidden tab', async () => {
  vi.spyOn(globalThis, 'setInterval').mockReturnValue(0 as never);
  const answer: Answer = { ...CUT_OFF, text: '', state: 'running' };
  await store.add(sampleConversation({ id: 'c', leaf: 'a' }), [...PATH, answer]);
  const { response, chunk } = openStream();
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  openTab(() => response).begin(answer, PATH);
  for (const [seconds, word] of ['One', ' two', ' three', ' four'].entries()) {
    now.mockReturnValue(seconds * 1000);
    chunk({ content: word });
    await vi.waitUntil(async () => (await stored()).text.endsWith(word), PATIENTLY);
  }
  expect(await stored()).toMatchObject({ text: 'One two three four', state: 'running' });
});

test('an answer that nobody generates is interrupted in memory while the disk is full, and stored when there is room', async () => {
  const abandoned: Answer = { ...CUT_OFF, state: 'running' };
  await store.add(sampleConversation({ id: 'c', leaf: 'a' }), [...PATH, abandoned]);
  vi.spyOn(console, 'error').mockReturnValue();
  const writes = [
    vi.spyOn(store, 'write').mockImplementation(full),
    vi.spyOn(store, 'rewriteAnswer').mockImplementation(full),
  ];
  const tab = openTab(() => new Response(''));
  tab.watchOrphans([abandoned]);
  await vi.waitUntil(() => tab.unsaved('a') !== undefined, PATIENTLY);
  expect(tab.unsaved('a')).toMatchObject({ state: 'interrupted', text: 'One' });
  expect([tab.hasUnsavedIn('c'), (await stored()).state]).toEqual([true, 'running']);
  for (const write of writes) write.mockRestore();
  await vi.waitUntil(async () => (await stored()).state === 'interrupted', PATIENTLY);
  expect(tab.unsaved('a')).toBeUndefined();
});
