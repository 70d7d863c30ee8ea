import { afterEach, expect, test, vi } from 'vitest';
import { answerRequest } from '../../../src/chat/api/answer-request.ts';
import { RunningAnswer } from '../../../src/chat/answers/running-answer.ts';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { DEFAULT_SETTINGS, type Answer, type ConversationSettings } from '../../../src/chat/types/conversation.ts';
import { runTool } from '../../../src/chat/tools/run-tool.ts';
import {
  exportedChat,
  exportFile,
  listConversations,
  readConversation,
} from '../../../src/chat/transfer/conversation-file.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';

afterEach(() => vi.unstubAllGlobals());

const SETTINGS: ConversationSettings = { ...DEFAULT_SETTINGS, tools: ['calculate'] };
const LOCAL_CALCULATOR = { tool: 'calculate', engine: 'local' } as const;
const PATH = [sampleQuestion({ text: 'What is 6 * 7?' })];

type Asked = { messages: Record<string, unknown>[]; tools?: unknown[]; tool_choice?: string };

function chunk(fields: object): string {
  return `data: ${JSON.stringify({ model: 'pocket', usage: null, ...fields })}\n\n`;
}

function delta(fields: object, reason: string | null = null): string {
  return chunk({ choices: [{ index: 0, delta: fields, finish_reason: reason }] });
}

/** An endpoint whose first `rounds` answers call the calculator, in several pieces; later answers are text. */
function endpoint(rounds: number): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    const request = JSON.parse(body) as Asked;
    asked.push(request);
    const calls = asked.length <= rounds && request.tool_choice !== 'none';
    const id = `call_${asked.length}`;
    const events = calls
      ? [
          delta({ content: 'Let me see. ' }),
          delta({ tool_calls: [{ index: 0, id, function: { name: 'calculate', arguments: '' } }] }),
          delta({ tool_calls: [{ index: 0, function: { arguments: '{"expression":' } }] }),
          delta({ tool_calls: [{ index: 0, function: { arguments: ' "6 * 7"}' } }] }),
          delta({}, 'tool_calls'),
        ]
      : [delta({ content: 'It is 42.' }), delta({}, 'stop')];
    return new Response([...events, 'data: [DONE]\n\n'].join(''));
  });
  return asked;
}

function begin(settings = SETTINGS): { running: RunningAnswer; ended: Promise<Answer> } {
  const store = new ConversationStore(null);
  const answer = sampleAnswer({ text: '', state: 'running', settings });
  const running = new RunningAnswer(answer, async () => {}, undefined, store);
  const written = running.write(() => answerRequest('pocket', PATH, settings, 7));
  return { running, ended: written.then(() => running.answer) };
}

const waiting = (running: RunningAnswer) =>
  vi.waitFor(() => {
    const call = running.answer.rounds?.at(-1)?.calls[0];
    expect(call?.outcome).toBe('waiting');
    return call!;
  });

test('a call waits for consent, and its result is given to the model', async () => {
  const asked = endpoint(1);
  const { running, ended } = begin();
  const call = await waiting(running);
  expect(call).toMatchObject({ name: 'calculate', arguments: '{"expression": "6 * 7"}', result: '' });
  expect(asked).toHaveLength(1);
  running.tools?.decide(call, 'once');
  const answer = await ended;
  expect(answer).toMatchObject({ state: 'complete', text: 'It is 42.' });
  expect(answer.rounds).toEqual([{ text: 'Let me see. ', calls: [{ ...call, outcome: 'done', result: '42' }] }]);
  expect(asked[0]).toMatchObject({ tool_choice: 'auto', tools: [{ function: { name: 'calculate' } }] });
  expect(asked[1]?.messages).toEqual([
    { role: 'user', content: 'What is 6 * 7?' },
    {
      role: 'assistant',
      content: 'Let me see. ',
      tool_calls: [
        { id: call.id, type: 'function', function: { name: 'calculate', arguments: '{"expression": "6 * 7"}' } },
      ],
    },
    { role: 'tool', content: '42', tool_call_id: call.id },
  ]);
  const next = answerRequest('pocket', [...PATH, answer, sampleQuestion({ id: 'q2', text: 'Sure?' })], SETTINGS, 7);
  expect(next.messages).toEqual([
    ...asked[1]!.messages,
    { role: 'assistant', content: 'It is 42.' },
    { role: 'user', content: 'Sure?' },
  ]);
});

test('a call that the user refuses does not run, and the model is told', async () => {
  const asked = endpoint(1);
  const { running, ended } = begin();
  const waits = await waiting(running);
  running.tools?.decide(waits, 'refuse');
  expect((await ended).rounds?.[0]?.calls[0]).toMatchObject({ outcome: 'refused' });
  expect(asked[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'Error: The user did not allow this.' });
});

test('a tool that is allowed for the whole chat is not asked about again, and the number of rounds is limited', async () => {
  const asked = endpoint(100);
  const { running, ended } = begin();
  const waits = await waiting(running);
  running.tools?.decide(waits, 'always');
  expect((await ended).text).toBe('It is 42.');
  expect(asked).toHaveLength(6);
  expect(asked.at(-1)?.tool_choice).toBe('none');
  expect(running.answer.rounds).toHaveLength(5);
  endpoint(1);
  expect((await begin({ ...SETTINGS, allowedTools: [LOCAL_CALCULATOR] }).ended).text).toBe('It is 42.');
});

interface ScriptedCall {
  readonly index?: number;
  readonly id: string;
  readonly name: string;
  readonly arguments: object;
}

/** An endpoint that makes the calls of one round after the other, then answers "Done.". */
function endpointOf(engine: string, ...rounds: readonly (readonly ScriptedCall[])[]) {
  const asked: { readonly body: Asked; readonly headers: Record<string, string> }[] = [];
  vi.stubGlobal(
    'fetch',
    async (_address: string, { body, headers }: { body: string; headers: Record<string, string> }) => {
      const calls = rounds[asked.length];
      asked.push({ body: JSON.parse(body) as Asked, headers });
      const pieces = (calls ?? []).map((call, index) => ({
        index: call.index ?? index,
        id: call.id,
        function: { name: call.name, arguments: JSON.stringify(call.arguments) },
      }));
      const events = calls
        ? [...pieces.map((piece) => delta({ tool_calls: [piece] })), delta({}, 'tool_calls')]
        : [delta({ content: 'Done.' }), delta({}, 'stop')];
      return new Response([...events, 'data: [DONE]\n\n'].join(''), { headers: { 'x-tabserve-engine': engine } });
    },
  );
  return asked;
}

const BOTH: ConversationSettings = { ...DEFAULT_SETTINGS, tools: ['calculate', 'search_chats'] };
const CALCULATION = { id: 'c1', name: 'calculate', arguments: { expression: '6 * 7' } };
const SEARCH = { id: 'c1', name: 'search_chats', arguments: { words: 'secret' } };

test('allowing a call once allows no other, whatever id the server gives the next one', async () => {
  const asked = endpointOf('upstream:desk', [CALCULATION], [SEARCH]);
  const { running, ended } = begin(BOTH);
  const call = await waiting(running);
  running.tools?.decide(call, 'once');
  const search = await vi.waitFor(() => {
    const call = running.answer.rounds?.[1]?.calls[0];
    expect(call).toMatchObject({ name: 'search_chats', outcome: 'waiting', result: '' });
    return call!;
  });
  expect(asked).toHaveLength(2);
  expect(running.answer.rounds?.[0]?.calls[0]).toMatchObject({ name: 'calculate', outcome: 'done', result: '42' });
  running.tools?.decide(search, 'refuse');
  const { rounds = [] } = await ended;
  expect(rounds[0]?.calls[0]).toMatchObject({ result: '42' });
  expect(rounds[1]?.calls[0]).toMatchObject({ outcome: 'refused' });
});

test('calls that share one id are decided separately', async () => {
  endpointOf('local', [CALCULATION, { ...CALCULATION, arguments: { expression: '1 + 1' } }]);
  const { running, ended } = begin();
  const call = await waiting(running);
  running.tools?.decide(call, 'once');
  await vi.waitFor(() => expect(running.answer.rounds?.[0]?.calls[0]?.outcome).toBe('done'));
  const second = running.answer.rounds![0]!.calls[1]!;
  expect(second.outcome).toBe('waiting');
  running.tools?.decide(second, 'refuse');
  expect((await ended).rounds?.[0]?.calls.map(({ result }) => result)).toEqual([
    '42',
    'Error: The user did not allow this.',
  ]);
});

test('calls that share an index but have different ids are distinguished', async () => {
  endpointOf('local', [CALCULATION, { ...CALCULATION, id: 'c2', index: 0, arguments: { expression: '1 + 1' } }]);
  const settings = { ...SETTINGS, allowedTools: [LOCAL_CALCULATOR] };
  expect((await begin(settings).ended).rounds?.[0]?.calls.map(({ result }) => result)).toEqual(['42', '2']);
});

test('a decision for other arguments than those of the call is ignored', async () => {
  endpointOf('local', [CALCULATION]);
  const { running, ended } = begin();
  const call = await waiting(running);
  running.tools?.decide({ ...call, arguments: '{"expression": "1"}' }, 'once');
  await vi.waitFor(() => expect(running.answer.rounds?.[0]?.calls[0]?.outcome).toBe('waiting'));
  running.tools?.decide(call, 'refuse');
  expect((await ended).rounds?.[0]?.calls[0]).toMatchObject({ outcome: 'refused' });
});

test('a tool that was allowed for local results needs new consent before an upstream gets them', async () => {
  endpointOf('upstream:desk', [CALCULATION]);
  const { running, ended } = begin({ ...SETTINGS, allowedTools: [LOCAL_CALCULATOR] });
  const call = await waiting(running);
  running.tools?.decide(call, 'refuse');
  expect((await ended).rounds?.[0]?.calls[0]).toMatchObject({ outcome: 'refused' });
});

test.each([
  ['local', 'local'],
  ['upstream:desk', undefined],
])('results that were allowed for %s are sent with the route %s', async (engine, route) => {
  const asked = endpointOf(engine, [CALCULATION]);
  await begin({ ...SETTINGS, allowedTools: [{ tool: 'calculate', engine }] }).ended;
  expect(asked.map(({ headers }) => headers['x-tabserve-route'])).toEqual([undefined, route]);
});

test('a tool that is switched off never runs, whatever was allowed before, and needs no consent', async () => {
  const asked = endpoint(1);
  const answer = await begin({ ...SETTINGS, tools: ['current_time'], allowedTools: [LOCAL_CALCULATOR] }).ended;
  const result = 'Error: There is no tool called "calculate".';
  expect(answer.rounds?.[0]?.calls[0]).toMatchObject({ outcome: 'failed', result });
  expect(asked[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: result });
});

test('an answer that was stopped before its first call continues with its tools', async () => {
  const asked = endpoint(1);
  const answer = sampleAnswer({ text: 'Let me', state: 'stopped', settings: SETTINGS, rounds: undefined });
  const running = new RunningAnswer(answer, async () => {}, undefined, new ConversationStore(null));
  const ended = running.continue(() => answerRequest('pocket', PATH, SETTINGS, 7));
  const call = await waiting(running);
  running.tools?.decide(call, 'once');
  await ended;
  expect(asked[0]).toMatchObject({ tool_choice: 'auto', tools: [{ function: { name: 'calculate' } }] });
  expect(running.answer).toMatchObject({ state: 'complete', text: 'It is 42.' });
  expect(running.answer.rounds).toMatchObject([{ text: 'Let me see. ', calls: [{ outcome: 'done', result: '42' }] }]);
});

test('stopping while a call waits for consent stops the answer', async () => {
  endpoint(1);
  const { running, ended } = begin();
  await waiting(running);
  running.stop();
  expect((await ended).state).toBe('stopped');
});

test('a call that waited for consent during a reload asks again, and is sent to the model once', async () => {
  const asked = endpoint(1);
  const before = begin();
  const call = await waiting(before.running);
  const stored = before.running.answer;
  before.running.stop();
  const kept: Answer = { ...stored, stream: { ...stored.stream!, lastEvent: 9, request: asked[0] as never } };
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    asked.push(JSON.parse(body) as Asked);
    const rest = asked.length === 2 ? [] : [delta({ content: 'It is 42.' }), delta({}, 'stop')];
    return new Response([...rest, 'data: [DONE]\n\n'].join(''));
  });
  const running = new RunningAnswer(kept, async () => {}, undefined, new ConversationStore(null));
  const ended = running.resume(kept.stream!);
  await vi.waitFor(() => expect(running.tools).not.toBeNull());
  // Decides before the tool loop waits for the decision, because a reloaded page shows the buttons first.
  running.tools?.decide(call, 'once');
  await ended;
  expect(running.answer).toMatchObject({ state: 'complete', text: 'It is 42.' });
  expect(asked[2]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
});

test('a call that was never decided is not sent to the model', () => {
  const cut = sampleAnswer({
    text: '',
    state: 'stopped',
    rounds: [{ text: '', calls: [{ id: 'c', name: 'calculate', arguments: '{', outcome: 'waiting', result: '' }] }],
  });
  const { messages } = answerRequest('pocket', [...PATH, cut, ...PATH], SETTINGS, 7);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'user']);
});

test.each([
  ['none are switched on', DEFAULT_SETTINGS],
  ['the answer has to be JSON', { ...SETTINGS, jsonSchema: '{"type":"object"}' }],
])('no tools are offered if %s', async (_, settings) => {
  const asked = endpoint(0);
  expect((await begin(settings).ended).text).toBe('It is 42.');
  expect(asked[0]).not.toHaveProperty('tools');
});

test('calls survive export and import of their conversation, consent does not', async () => {
  const settings: ConversationSettings = { ...SETTINGS, allowedTools: [LOCAL_CALCULATOR] };
  const rounds = [
    { text: '', calls: [{ id: 'c', name: 'x', arguments: '{', outcome: 'failed' as const, result: 'Error' }] },
  ];
  const whole = {
    conversation: sampleConversation({ settings }),
    messages: [sampleQuestion(), sampleAnswer({ rounds, settings })],
  };
  const withoutConsent = {
    conversation: { ...whole.conversation, settings: SETTINGS },
    messages: [whole.messages[0], { ...whole.messages[1], settings: SETTINGS }],
  };
  // The file does not tell which tools were allowed, and one that claims it is not believed.
  const [stored] = listConversations(JSON.parse(await exportFile([exportedChat(whole)]).text()) as object) ?? [];
  expect(stored).toEqual(withoutConsent);
  for (const file of [stored, whole]) expect(readConversation(file).whole).toEqual(withoutConsent);
});

const surroundings = {
  store: new ConversationStore(null),
  conversation: 'here',
  signal: new AbortController().signal,
  now: () => new Date('2026-11-22T20:15:00Z'),
};

test.each([
  ['calculate', '{"expression": "2^10"}', { outcome: 'done', result: '1024' }],
  [
    'calculate',
    '{"expression": "alert(1)"}',
    { outcome: 'failed', result: expect.stringContaining('Error: There is no') },
  ],
  ['constructor', '{}', { outcome: 'failed', result: 'Error: There is no tool called "constructor".' }],
  [
    'current_time',
    '',
    { outcome: 'done', result: expect.stringMatching(/^Sunday,? 22 November 2026, \d\d:15:00 \(.+\)$/) },
  ],
  ['search_chats', '{"words": "!"}', { outcome: 'failed', result: 'Error: No words were given.' }],
])('the tool %s with %s', async (name, given, outcome) => {
  expect(await runTool(name, given, surroundings)).toEqual(outcome);
});

test('the search tool finds other chats, the best first, with the text around each match', async () => {
  const store = new ConversationStore(null);
  const add = (id: string, text: string) =>
    store.add(sampleConversation({ id, title: `About ${id}` }), [
      sampleQuestion({ id: `${id}-q`, conversation: id, text }),
    ]);
  await add('boats', `${'x '.repeat(500)}The red boat sails. ${'y '.repeat(500)}`);
  await add('cars', 'A red car.');
  await add('here', 'A red boat, too.');
  const { result } = await runTool('search_chats', '{"words": "Red boat"}', { ...surroundings, store });
  const [first, second, third] = result.split('\n');
  expect(first).toMatch(/^"About boats" \(\d{4}-\d\d-\d\d\): ….*The red boat sails\..*…$/);
  expect(first!.length).toBeLessThan(320);
  expect(second).toContain('"About cars"');
  expect(third).toBeUndefined();
});

test.each([
  ['Chinese, words in another order', '浴室的水管在漏水。', '漏水 水管'],
  ['Chinese, without a space', '浴室的水管在漏水。', '水管漏水'],
  ['Chinese, one character', '我家的猫病了。', '猫'],
  ['Japanese', '台所の水道が水漏れしています。', '水漏れ'],
  ['Thai', 'ท่อน้ำในห้องน้ำรั่ว', 'รั่ว'],
  ['Hindi', 'मेरी किताब कहाँ है?', 'किताब'],
  ['Korean, with particles', '학교에서 한국어를 배웁니다', '한국어'],
  ['Korean, one syllable', '물 좀 주세요', '물'],
  ['Arabic with vowels', 'هذا كِتَاب جديد', 'كِتَاب'],
  ['Russian', 'Где мой красный корабль?', 'КРАСНЫЙ'],
])('the search tool finds words in %s', async (_, text, words) => {
  const store = new ConversationStore(null);
  await store.add(sampleConversation(), [sampleQuestion({ text })]);
  const outcome = await runTool('search_chats', JSON.stringify({ words }), { ...surroundings, store });
  expect(outcome).toEqual({ outcome: 'done', result: expect.stringContaining(text.slice(0, 8)) });
});

test('the search tool tells the day of a message as this device counts days, and goes on after a time that is none', async () => {
  const store = new ConversationStore(null);
  const times = [new Date(2026, 10, 22, 0, 30).getTime(), new Date(2026, 10, 22, 23, 30).getTime(), 1e300, Number.NaN];
  const messages = times.map((created, index) => sampleQuestion({ id: `q${index}`, created, text: 'A red boat.' }));
  await store.add(sampleConversation(), messages);
  const { outcome, result } = await runTool('search_chats', '{"words": "boat"}', { ...surroundings, store });
  expect(outcome).toBe('done');
  expect([...result.matchAll(/\((.+?)\): …A red boat/g)].map(([, day]) => day)).toEqual([
    '2026-11-22',
    '2026-11-22',
    'Invalid Date',
    'Invalid Date',
  ]);
});
