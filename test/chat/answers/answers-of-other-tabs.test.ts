import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { AnswerRunner } from '../../../src/chat/answers/answer-runner.ts';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import type { Answer } from '../../../src/chat/types/conversation.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { StoppableEndpoint, SITE } from '../../support/fakes/stoppable-endpoint.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

/** Long enough for a busy machine. */
const PATIENTLY = { interval: 5, timeout: 20_000 };
const TEXT = 'One two three four';
const QUESTION = sampleQuestion({ id: 'q', conversation: 'c', parent: null, created: 1, text: TEXT });
const ANSWER = sampleAnswer({
  id: 'a',
  conversation: 'c',
  parent: 'q',
  created: 2,
  model: 'a',
  text: '',
  state: 'running',
});

let endpoint: StoppableEndpoint;
let store: ConversationStore;

beforeEach(() => {
  endpoint = StoppableEndpoint.ofPage();
  store = new ConversationStore(null);
});

afterEach(() => {
  endpoint.close();
  vi.unstubAllGlobals();
});

/** Opens a tab with its own window. It does not see the locks of other tabs, as if they had ended. */
function openTab() {
  const window = new EventTarget();
  const tab = { isDead: false };
  // A tab that has ended stores nothing more.
  const write = store.rewriteAnswer.bind(store);
  const rewriteAnswer: typeof write = async (...given) => (tab.isDead ? undefined : write(...given));
  const ofTab = { rewriteAnswer, messages: store.messages.bind(store), write: store.write.bind(store) };
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('navigator', { locks: new MemoryLocks() });
  const ask = endpoint.createTabFetch();
  const answers = new AnswerRunner(
    ofTab as unknown as ConversationStore,
    async () => {},
    (input, init) => ask(new URL(String(input), SITE), init),
  );
  onTestFinished(() => answers.end());
  return Object.assign(tab, { window, answers });
}

const stored = async () => (await store.messages('c')).find(({ id }) => id === 'a') as Answer;

/** Lets a tab generate the first words of an answer, and returns the tab. */
async function beginAnswer() {
  await store.add(sampleConversation({ id: 'c', leaf: 'a' }), [QUESTION, ANSWER]);
  const tab = openTab();
  tab.answers.begin(ANSWER, [QUESTION]);
  for (let word = 0; word < 2; word++) {
    await vi.waitUntil(() => endpoint.engine.isWaiting, PATIENTLY);
    await endpoint.engine.advance();
  }
  await vi.waitUntil(async () => (await stored()).text === 'Onetwo', PATIENTLY);
  return tab;
}

test.each([
  { name: 'was left by the user goes on', leaves: true, end: { state: 'complete', text: 'Onetwothreefour' } },
  { name: 'crashed is interrupted', leaves: false, end: { state: 'interrupted', text: 'Onetwo' } },
])('an answer whose engine ended with a tab that $name in another tab', async ({ leaves, end }) => {
  const former = await beginAnswer();
  const { answers } = openTab();
  if (leaves) former.window.dispatchEvent(new Event('pagehide'));
  // The messages to other tabs arrive.
  await new Promise((resolve) => setTimeout(resolve, 20));
  former.isDead = true;
  endpoint.stopServiceWorker();
  endpoint.replaceEngine();
  endpoint.engine.runFreely();
  answers.watchOrphans([await stored()]);
  await vi.waitUntil(async () => (await stored()).state !== 'running', PATIENTLY);
  expect(await stored()).toMatchObject(end);
});
