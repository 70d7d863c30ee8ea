import { afterEach, expect, test, vi } from 'vitest';
import { answerRequest } from '../../../src/chat/api/answer-request.ts';
import { RunningAnswer } from '../../../src/chat/answers/running-answer.ts';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { runTool } from '../../../src/chat/tools/run-tool.ts';
import { visibleText } from '../../../src/chat/strings/visible-text.ts';
import { argumentsText } from '../../../src/chat/tools/tool-call-text.ts';
import {
  DEFAULT_SETTINGS,
  TOOL_NAMES,
  type ConversationSettings,
  type ToolName,
} from '../../../src/chat/types/conversation.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';

afterEach(() => vi.unstubAllGlobals());

const SETTINGS: ConversationSettings = { ...DEFAULT_SETTINGS, tools: [...TOOL_NAMES] };

/** An answer whose model makes one round of calls with these arguments, then says "Done.". */
async function answerWith(calls: readonly { readonly name: string; readonly given: string }[], settings = SETTINGS) {
  const asked: { readonly messages: readonly { readonly role: string; readonly content: string }[] }[] = [];
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    asked.push(JSON.parse(body) as (typeof asked)[number]);
    const pieces = calls.map(({ name, given }, index) => ({ index, id: 'c', function: { name, arguments: given } }));
    const choices =
      asked.length === 1
        ? [{ delta: { tool_calls: pieces } }, { delta: {}, finish_reason: 'tool_calls' }]
        : [{ delta: { content: 'Done.' } }, { delta: {}, finish_reason: 'stop' }];
    const chunks = choices.map((choice) => `data: ${JSON.stringify({ model: 'pocket', choices: [choice] })}\n\n`);
    return new Response([...chunks, 'data: [DONE]\n\n'].join(''));
  });
  const store = new ConversationStore(null);
  await store.add(sampleConversation({ id: 'other', title: 'Other' }), [
    sampleQuestion({ id: 'q', conversation: 'other', text: 'A secret harbour' }),
  ]);
  const running = new RunningAnswer(
    sampleAnswer({ text: '', state: 'running', settings }),
    async () => {},
    undefined,
    store,
  );
  const ended = running.write(() => answerRequest('pocket', [sampleQuestion()], settings, 7));
  const callsNow = () => running.answer.rounds?.[0]?.calls ?? [];
  return { running, ended, asked, callsNow };
}

/** Records the programs that reach the sandbox's worker. */
function recordPrograms(): string[] {
  const programs: string[] = [];
  class SandboxWorker extends EventTarget {
    constructor() {
      super();
      setTimeout(() => this.#say({ type: 'ready' }));
    }

    postMessage(program: string): void {
      programs.push(program);
      setTimeout(() => this.#say({ type: 'outcome', outcome: { failed: false, text: 'ran' } }));
    }

    terminate(): void {}

    #say(data: object): void {
      this.dispatchEvent(new MessageEvent('message', { data }));
    }
  }
  vi.stubGlobal('Worker', SandboxWorker);
  return programs;
}

const LONG = `${' \n'.repeat(9000)}late()`;

test.each([
  ['a program', '{"program": "1 + 1"}', '1 + 1', '1 + 1'],
  ['an empty program', '{"program": ""}', '', ''],
  ['lines and tabs', String.raw`{"program": "a\n\tb\r\nc"}`, 'a\n\tb\r\nc', 'a\n\tb\r\nc'],
  [
    'controls of direction, escaped',
    String.raw`{"program": "x \u202e\u2066// y\u2069"}`,
    'x \u202E\u2066// y\u2069',
    'x ⟨U+202E⟩⟨U+2066⟩// y⟨U+2069⟩',
  ],
  ['a control of direction, as it is', '{"program": "x \u202E y"}', 'x \u202E y', 'x ⟨U+202E⟩ y'],
  ['a separator of lines', String.raw`{"program": "// a\u2028evil()"}`, '// a\u2028evil()', '// a⟨U+2028⟩evil()'],
  ['no width', String.raw`{"program": "a\u200bb\ufeff"}`, 'a\u200Bb\uFEFF', 'a⟨U+200B⟩b⟨U+FEFF⟩'],
  [
    'a tag and a variation selector',
    String.raw`{"program": "\udb40\udc41\ufe0f"}`,
    '\u{E0041}\uFE0F',
    '⟨U+E0041⟩⟨U+FE0F⟩',
  ],
  ['half a pair', String.raw`{"program": "\ud83d\u0000"}`, '\uD83D\0', '⟨U+D83D⟩⟨U+0000⟩'],
  [
    'JSON within JSON',
    String.raw`{"program": "{\"program\": \"inner()\"}"}`,
    '{"program": "inner()"}',
    '{"program": "inner()"}',
  ],
  ['a name twice', '{"program": "first()", "program": "last()"}', 'last()', 'last()'],
  ['an escaped name', String.raw`{"pro\u0067ram": "escaped()"}`, 'escaped()', 'escaped()'],
  ['thousands of lines', JSON.stringify({ program: LONG }), LONG, LONG],
])('%s: what is shown is what runs', async (_, given, runs, shown) => {
  const programs = recordPrograms();
  const { running, ended, callsNow } = await answerWith([{ name: 'run_javascript', given }]);
  await vi.waitFor(() => expect(callsNow()[0]?.outcome).toBe('waiting'), { timeout: 20_000 });
  const call = callsNow()[0]!;
  expect(visibleArguments(call.name, call.arguments)).toBe(shown);
  expect(programs).toEqual([]);
  running.tools?.decide(call, 'once');
  await ended;
  expect(programs).toEqual([runs]);
});

const DEEP = `${'['.repeat(5000)}${']'.repeat(5000)}`;

/** Arguments that no tool takes, `$` standing for the tool's parameter. */
const REFUSED = [
  '{"$": {"x": "secret"}}',
  '{"$": ["secret"]}',
  '{"$": [["secret"]]}',
  '{"$": 7}',
  '{"$": 1e999}',
  '{"$": true}',
  '{"$": null}',
  `{"$": ${DEEP}}`,
  '{}',
  '{"other": "secret"}',
  '{"$": "secret", "other": "x"}',
  '{"$": "secret", "__proto__": {"x": 1}}',
  '{"__proto__": {"$": "secret"}}',
  '{"constructor": "secret"}',
  '{"toString": "secret"}',
  '{"$": "secret", "$ ": "x"}',
  '{"$\\u200b": "secret"}',
  '{"$": "first", "$": {"x": "secret"}}',
  '{"$": "secret"',
  '"{\\"$\\": \\"secret\\"}"',
  '["secret"]',
  '[]',
  'null',
  '7',
  'secret',
  '{"$": "secret"} {"$": "secret"}',
  `{"$": "secret${' '.repeat(20_000)}"}`,
];

const PARAMETERS: Readonly<Record<ToolName, string>> = {
  calculate: 'expression',
  current_time: 'unused',
  search_chats: 'words',
  run_javascript: 'program',
};

test.each(TOOL_NAMES)('%s: arguments that its schema does not allow are refused, and nobody is asked', async (name) => {
  const programs = recordPrograms();
  // A tool without parameters takes an empty object.
  const refused = REFUSED.filter((given) => name !== 'current_time' || given !== '{}').map((given) =>
    given.replaceAll('$', PARAMETERS[name]),
  );
  const { running, ended, asked, callsNow } = await answerWith(refused.map((given) => ({ name, given })));
  let hasAsked = false;
  running.addEventListener('change', () => {
    if (!callsNow().some(({ outcome }) => outcome === 'waiting')) return;
    hasAsked = true;
    running.stop();
  });
  await ended;
  expect(hasAsked).toBe(false);
  const calls = callsNow();
  expect(calls.map(({ outcome }) => outcome)).toEqual(refused.map(() => 'failed'));
  for (const { result } of calls) expect(result).toMatch(/^Error: (The argument|\w+ takes no argument called)/);
  expect(asked[1]!.messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual(
    calls.map(({ result }) => result),
  );
  expect(programs).toEqual([]);
});

test.each(TOOL_NAMES)(
  '%s: arguments that are refused do not run even when the tool is always allowed',
  async (name) => {
    const programs = recordPrograms();
    const given = REFUSED[0]!.replaceAll('$', PARAMETERS[name]);
    const settings = { ...SETTINGS, allowedTools: [{ tool: name, engine: 'local' }] };
    const { ended, callsNow } = await answerWith([{ name, given }], settings);
    await ended;
    expect(callsNow()[0]).toMatchObject({ outcome: 'failed' });
    expect(programs).toEqual([]);
  },
);

test('beside a call that waits for consent, one that cannot run does not ask', async () => {
  const { running, ended, callsNow } = await answerWith([
    { name: 'calculate', given: '{"expression": "6 * 7"}' },
    { name: 'search_chats', given: '{"words": {"x": "secret"}}' },
    { name: 'delete_chats', given: '{}' },
  ]);
  await vi.waitFor(() => expect(callsNow().map(({ outcome }) => outcome)).toEqual(['waiting', 'failed', 'failed']), {
    timeout: 20_000,
  });
  running.tools?.decide(callsNow()[0]!, 'once');
  await ended;
  expect(callsNow().map(({ result }) => result)).toEqual([
    '42',
    'Error: The argument "words" is no string.',
    'Error: There is no tool called "delete_chats".',
  ]);
});

test.each([
  ['', 'nothing'],
  ['{}', 'nothing'],
  [' \n', 'nothing'],
])('a tool without parameters, called with %j, is shown to get %s', async (given, shown) => {
  const { running, ended, callsNow } = await answerWith([{ name: 'current_time', given }]);
  await vi.waitFor(() => expect(callsNow()[0]?.outcome).toBe('waiting'), { timeout: 20_000 });
  expect(visibleArguments('current_time', given)).toBe(shown);
  running.tools?.decide(callsNow()[0]!, 'once');
  await ended;
  expect(callsNow()[0]).toMatchObject({ outcome: 'done' });
});

test('a search for what was shown finds it', async () => {
  const { running, ended, callsNow } = await answerWith([{ name: 'search_chats', given: '{"words": "secret"}' }]);
  await vi.waitFor(() => expect(callsNow()[0]?.outcome).toBe('waiting'), { timeout: 20_000 });
  running.tools?.decide(callsNow()[0]!, 'once');
  await ended;
  expect(callsNow()[0]?.result).toContain('A secret harbour');
});

test('a result is not cut within a character', async () => {
  const store = new ConversationStore(null);
  await store.add(sampleConversation({ id: 'other', title: '😀'.repeat(800) }), [
    sampleQuestion({ id: 'q', conversation: 'other', text: 'harbour' }),
  ]);
  const { signal } = new AbortController();
  const { result } = await runTool('search_chats', '{"words": "harbour"}', { store, conversation: 'here', signal });
  expect(result.length).toBeGreaterThan(1490);
  expect(result.isWellFormed()).toBe(true);
});

/** The arguments as the page shows them. */
function visibleArguments(name: string, given: string): string {
  return visibleText(argumentsText({ id: 'c', name, arguments: given, outcome: 'waiting', result: '' }), false);
}
