import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerRequest } from '../../../src/chat/api/answer-request.ts';
import { replayRequest } from '../../../src/chat/answers/continue-answer.ts';
import { RunningAnswer } from '../../../src/chat/answers/running-answer.ts';
import { toolDefinitions } from '../../../src/chat/api/tool-definitions.ts';
import { DEFAULT_SETTINGS, TOOL_NAMES, type Answer, type Message } from '../../../src/chat/types/conversation.ts';
import { sampleAnswer, sampleQuestion } from '../../gallery/samples/conversation.ts';

const DOCUMENTS = { id: 'vs_1', name: 'Papers' };
const SETTINGS = { ...DEFAULT_SETTINGS, documents: DOCUMENTS };

beforeEach(() => void vi.stubGlobal('document', new EventTarget()));
afterEach(() => vi.unstubAllGlobals());

interface Asked {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> & { readonly messages?: readonly { readonly content: string }[] };
}

/** An endpoint that finds these passages, and whose models answer "Yes [1]." */
function endpoint(
  found: readonly (readonly [name: string, text: string])[],
  { window = 4096, status = 200, waiting = 0 } = {},
) {
  const asked: Asked[] = [];
  vi.stubGlobal('fetch', async (path: string, { body = '{}' }: { body?: string } = {}) => {
    asked.push({ path, body: JSON.parse(body) as Asked['body'] });
    if (path === '/v1/models') return Response.json({ data: [{ id: 'large', context_window: window }] });
    if (path === '/v1/vector_stores/vs_1') return Response.json({ file_counts: { in_progress: waiting, total: 5 } });
    if (path.endsWith('/search')) {
      const data = found.map(([name, text], index) => ({
        file_id: `file-${index}`,
        filename: 'other.txt',
        attributes: { name },
        content: [{ type: 'text', text }],
      }));
      const error = { code: 'model_not_found', message: 'Gone.', param: null };
      return Response.json(status === 200 ? { data, has_more: false } : { error }, { status });
    }
    const delta = { choices: [{ index: 0, delta: { content: 'Yes [1].' }, finish_reason: 'stop' }], model: 'large' };
    return new Response(`data: ${JSON.stringify(delta)}\n\ndata: [DONE]\n\n`);
  });
  return asked;
}

async function answer(path: readonly Message[], changes: Partial<Answer> = {}): Promise<Answer> {
  const empty = sampleAnswer({ text: '', state: 'running', model: 'large', settings: SETTINGS, ...changes });
  const running = new RunningAnswer(empty, () => Promise.resolve());
  await running.write(async () => {
    const sent = await running.lookUp(path);
    return sent && answerRequest('large', sent, empty.settings, 1);
  });
  return running.answer;
}

const lastContent = (asked: readonly Asked[]): string => asked.at(-1)?.body.messages?.at(-1)?.content ?? '';

test('the model gets the passages with numbers before the question, and the answer keeps them', async () => {
  const asked = endpoint([
    ['a/one.pdf', 'Ships carry wood.'],
    ['two\n[3] x.txt', 'Trains carry coal.'],
  ]);
  const answered = await answer([sampleQuestion({ text: 'What do ships carry?' })]);
  expect(answered).toMatchObject({
    text: 'Yes [1].',
    state: 'complete',
    sources: [
      { file: 'file-0', name: 'a/one.pdf', text: 'Ships carry wood.' },
      { file: 'file-1', text: 'Trains carry coal.' },
    ],
  });
  const content = lastContent(asked);
  expect(content).toContain('[1] a/one.pdf\nShips carry wood.\n\n[2] two [3] x.txt\nTrains carry coal.');
  expect(content).toMatch(/Question: What do ships carry\?$/);
});

test.each([
  [
    'a long question alone',
    'And how many lighthouses has Oslo in winter?',
    'And how many lighthouses has Oslo in winter?',
  ],
  [
    'a short one alone and after the question before it',
    'And in winter?',
    ['And in winter?', 'How many ships sail? And in winter?'],
  ],
] as const)('%s is searched', async (_, text, expected) => {
  const asked = endpoint([['a.txt', 'x']]);
  const before = [sampleQuestion({ text: 'How many ships sail?' }), sampleAnswer({ id: 'a0', text: 'Ten.' })];
  await answer([...before, sampleQuestion({ id: 'q2', text })]);
  const search = asked.find(({ path }) => path === '/v1/vector_stores/vs_1/search');
  expect(search?.body).toMatchObject({ query: expected, ranking_options: { score_threshold: 0.2 } });
});

test.each([
  ['nothing is found', [], { model: 'large' }],
  ['the built-in model would have to read the passages', [['a.txt', 'Ships.']] as const, { model: 'pocket' }],
])('no model is asked if %s', async (_, found, changes) => {
  const asked = endpoint(found);
  const answered = await answer([sampleQuestion()], changes);
  expect(answered).toMatchObject({
    text: '',
    state: 'complete',
    sources: found.map(([name, text]) => ({ name, text })),
  });
  expect(asked.map(({ path }) => path)).not.toContain('/v1/chat/completions');
});

test.each([
  ['a chat without documents', { settings: DEFAULT_SETTINGS }, 'Why?'],
  ['a question without words', {}, ' '],
])('%s is answered without a search', async (_, changes, text) => {
  const asked = endpoint([['a.txt', 'x']]);
  const answered = await answer(
    [sampleQuestion({ text, attachments: [{ id: 'f', kind: 'text', part: 'whole', name: 'n', size: 1, text: 'x' }] })],
    changes,
  );
  expect(answered).toMatchObject({ text: 'Yes [1].', state: 'complete' });
  expect(answered.sources).toBeUndefined();
  expect(asked.map(({ path }) => path)).toEqual(['/v1/chat/completions']);
});

test('if nothing is found while files are being indexed, the answer says that, and can be asked for again', async () => {
  endpoint([], { waiting: 2 });
  const answered = await answer([sampleQuestion()]);
  expect(answered).toMatchObject({ state: 'failed', error: { message: expect.stringContaining('3 of 5 files') } });
  expect(answered.sources).toBeUndefined();
});

test('an answer fails with the error of the search, as after its collection was deleted', async () => {
  endpoint([], { status: 404 });
  expect(await answer([sampleQuestion()])).toMatchObject({ state: 'failed', error: { message: 'Gone.' } });
});

test.each([256, 512, 1024, 2048, 4096, 131_072])(
  'in a window of %i tokens, passages and question leave a quarter for the answer, and one passage is always given',
  async (window) => {
    for (const passage of ['Ships carry wood and coal. '.repeat(40), `港 > 船\n${'船は木材を運ぶ。'.repeat(80)}`]) {
      const asked = endpoint(
        Array.from({ length: 10 }, (_, index) => [`${index}.txt`, passage]),
        { window },
      );
      const { sources = [] } = await answer([sampleQuestion({ text: 'What do ships carry?' })]);
      expect(sources.length).toBeGreaterThan(0);
      expect(sources.length).toBeLessThanOrEqual(4);
      for (const { text } of sources) {
        expect(text.length).toBeGreaterThan(30);
        expect(passage.startsWith(text)).toBe(true);
      }
      // Three bytes a token is what the page estimates, too.
      const tokens = new TextEncoder().encode(lastContent(asked)).length / 3;
      expect(tokens).toBeLessThanOrEqual(Math.max(window * 0.75, 250));
    }
  },
);

test('passages leave room for tools and their earlier results, too', async () => {
  const passages = Array.from({ length: 4 }, (_, index) => [`${index}.txt`, 'Ships carry wood. '.repeat(25)] as const);
  const asked = endpoint(passages, { window: 1024 });
  const question = sampleQuestion({ text: 'What do ships carry in the winter?' });
  const free = await answer([question]);
  const offered = await answer([question], { settings: { ...SETTINGS, tools: TOOL_NAMES } });
  const tokens = (lastContent(asked).length + JSON.stringify(toolDefinitions(TOOL_NAMES)).length) / 3;
  expect(tokens).toBeLessThanOrEqual(1024 * 0.75);
  const calls = [
    { id: 'c', name: 'run_javascript', arguments: '{}', outcome: 'done', result: 'x'.repeat(3000) },
  ] as const;
  const called = await answer([
    sampleQuestion({ id: 'q0' }),
    sampleAnswer({ id: 'a0', rounds: [{ text: '', calls }] }),
    question,
  ]);
  expect(free.sources).toHaveLength(4);
  for (const { sources = [] } of [offered, called]) expect(sources.length).toBeLessThan(4);
});

test('a continued answer has the same passages in its request, without another search', () => {
  const stopped = sampleAnswer({
    state: 'stopped',
    settings: SETTINGS,
    sources: [{ file: 'f', name: 'a.txt', text: 'Ships carry wood.' }],
  });
  const { messages } = replayRequest(stopped, [sampleQuestion({ text: 'What?' })]);
  expect(messages.at(-1)?.content).toContain('[1] a.txt\nShips carry wood.');
});

test('later requests have neither the passages nor the marks of earlier answers, nor questions that the page answered', () => {
  const source = { file: 'f', name: 'a.txt', text: 'Ships carry wood.' };
  const path = [
    sampleQuestion({ text: 'What?' }),
    sampleAnswer({ text: 'Wood [1]. And coal [1, 2], `list[1]`.', sources: [source, source] }),
    sampleQuestion({ id: 'q2', text: 'Unknown?' }),
    sampleAnswer({ id: 'a2', text: '', sources: [] }),
    sampleQuestion({ id: 'q3', text: 'Then?' }),
  ];
  const { messages } = answerRequest('large', path, DEFAULT_SETTINGS, 1);
  expect(messages.map(({ content }) => content)).toEqual(['What?', 'Wood. And coal, `list[1]`.', 'Then?']);
});

test('a question whose answer has only tool calls stays before them', () => {
  const calls = [{ id: 'c', name: 'calculate', arguments: '{}', outcome: 'done', result: '4' }] as const;
  const path = [
    sampleQuestion({ text: 'What?' }),
    sampleAnswer({ text: '', sources: [{ file: 'f', name: 'a.txt', text: 'x' }], rounds: [{ text: '', calls }] }),
    sampleQuestion({ id: 'q2', text: 'Then?' }),
  ];
  const { messages } = answerRequest('large', path, DEFAULT_SETTINGS, 1);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
});

test.each([
  ['Wood [1][2] and [3] [4].', 'Wood and.'],
  ['[1] Wood\n- [2, 3] coal', ' Wood\n- coal'],
  ['Wood [1-3] and coal [2\u20134].', 'Wood and coal.'],
  ['Wood \u{3010}1\u{3011}\n\n```css\n  .a { }\n```\n\nx : y', 'Wood\n\n```css\n  .a { }\n```\n\nx : y'],
  ['```py\nsizes = [1, 2]\n  .sort()\n``` [1]', '```py\nsizes = [1, 2]\n  .sort()\n```'],
  ['Use `x = [1]` [1].', 'Use `x = [1]`.'],
  ['```\nfirst = [1]', '```\nfirst = [1]'],
])('of %j a later request has %j', (text, expected) => {
  const path = [sampleAnswer({ text, sources: [] })];
  expect(answerRequest('large', path, DEFAULT_SETTINGS, 1).messages[0]?.content).toBe(expected);
});
