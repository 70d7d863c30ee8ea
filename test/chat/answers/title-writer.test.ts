import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readTitle, writeTitles } from '../../../src/chat/answers/title-writer.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { createMemoryDatabase } from '../../../src/chat/storage/memory-database.ts';
import type { Answer } from '../../../src/chat/types/conversation.ts';

const QUESTION = sampleQuestion({ text: 'Why are leaves green?' });

beforeEach(() => {
  vi.useFakeTimers();
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A chat whose first answer has just ended. `ask` records the requests for a title. */
async function endedChat({
  model = 'large',
  title = QUESTION.text,
  more = [] as ReturnType<typeof sampleQuestion>[],
  ...changes
}: {
  readonly model?: string;
  readonly title?: string;
  readonly more?: readonly ReturnType<typeof sampleQuestion>[];
} & Partial<Answer>) {
  const database = createMemoryDatabase();
  const store = new ConversationStore(async () => database);
  const answer = sampleAnswer({ model, ...changes });
  await store.add(sampleConversation({ title }), [QUESTION, answer, ...more]);
  const answers = Object.assign(new EventTarget(), { conversations: ['c1'] });
  const change = (conversations: string[]) => {
    answers.conversations = conversations;
    answers.dispatchEvent(new Event('change'));
  };
  const ask = vi.fn<typeof fetch>(async () => {
    const events = [{ delta: { content: '"Green leaves"' } }, { delta: {}, finish_reason: 'stop' }];
    const body = events.map((choice) => `data: ${JSON.stringify({ model, choices: [choice] })}\n\n`).join('');
    return new Response(`${body}data: [DONE]\n\n`);
  });
  const promptCache = { promptTokens: 0, cachedTokens: 0 };
  const status = { state: 'ready', model, gpu: '', promptCache, message: '' } as never;
  const end = writeTitles(answers, store, () => status, ask);
  change(['c1']);
  change([]);
  return { store, ask, change, end, title: async () => (await store.conversation('c1'))?.title };
}

test('a chat is named by its model once the user is idle', async () => {
  const chat = await endedChat({});
  await vi.advanceTimersByTimeAsync(3000);
  expect(chat.ask).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(3000);
  expect(await chat.title()).toBe('Green leaves');
  const { messages } = JSON.parse(String(chat.ask.mock.calls[0]![1]?.body)) as { messages: { content: string }[] };
  expect(messages.slice(0, 2).map(({ content }) => content)).toEqual([QUESTION.text, 'Because.']);
  // The user did not ask for a title: no other server gets the request, even if the user has allowed upstreams.
  const headers = new Headers(chat.ask.mock.calls[0]![1]?.headers);
  expect(headers.get('x-tabserve-route')).toBe('local');
  expect(headers.get('x-tabserve-log')).toBe('none');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(chat.ask).toHaveBeenCalledTimes(1);
  chat.end();
});

test('an answer without text, as of a search that found nothing, gives no title', async () => {
  const chat = await endedChat({ text: '', sources: [] });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(chat.ask).not.toHaveBeenCalled();
  chat.end();
});

test('typing postpones the naming of a chat, and the next question cancels it', async () => {
  const chat = await endedChat({});
  for (let key = 0; key < 5; key++) {
    await vi.advanceTimersByTimeAsync(3000);
    dispatchEvent(new Event('keydown'));
  }
  chat.change(['another']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(chat.ask).not.toHaveBeenCalled();
  expect(await chat.title()).toBe(QUESTION.text);
  chat.end();
});

test('a question aborts the running request for a name at once', async () => {
  const chat = await endedChat({});
  let signal: AbortSignal | null | undefined;
  chat.ask.mockImplementation((_address, init) => {
    signal = init?.signal;
    return new Promise(() => {});
  });
  await vi.advanceTimersByTimeAsync(6000);
  expect(signal?.aborted).toBe(false);
  chat.change(['another']);
  expect(signal?.aborted).toBe(true);
  chat.end();
});

test.each([
  ['that the built-in model answered', { model: 'pocket' }],
  ['that the user has named', { title: 'My name' }],
  ['with a second question', { more: [sampleQuestion({ id: 'q2', parent: 'a1', created: 9 })] }],
])('a chat %s keeps its name', async (_name, options) => {
  const chat = await endedChat(options);
  const before = await chat.title();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(chat.ask).not.toHaveBeenCalled();
  expect(await chat.title()).toBe(before);
  chat.end();
});

test.each([
  ['Why leaves are green', 'Why leaves are green'],
  ['  "Why leaves are green."\n', 'Why leaves are green'],
  ['Title: **Green leaves**', 'Green leaves'],
  ['**Title:** Green leaves', 'Green leaves'],
  ['Titles: a history', 'Titles: a history'],
  ['„Grüne Blätter“', 'Grüne Blätter'],
  ['Titre : « Des feuilles vertes »', 'Des feuilles vertes'],
  ['Título: Hojas verdes', 'Hojas verdes'],
  ['《绿叶的秘密》', '绿叶的秘密'],
  ['《红楼梦》的主题', '《红楼梦》的主题'],
  ['《论语》与《孟子》', '《论语》与《孟子》'],
  ['标题：为什么叶子是绿色的。', '为什么叶子是绿色的'],
  ['「緑の葉の理由」', '緑の葉の理由'],
  ['제목: 나뭇잎이 초록색인 이유', '나뭇잎이 초록색인 이유'],
  ['Название: «Зелёные листья»', 'Зелёные листья'],
  ['العنوان: لماذا الأوراق خضراء', 'لماذا الأوراق خضراء'],
  ['', null],
  ['...', null],
  ['Sure! Here is a title:\nGreen leaves', null],
  ['This conversation is about why the leaves of most of the plants are green', null],
])('the answer %j becomes the name %j', (text, title) => expect(readTitle(text)).toBe(title));
