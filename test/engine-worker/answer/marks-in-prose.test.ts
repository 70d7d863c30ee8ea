import { afterEach, expect, test, vi } from 'vitest';
import { AnswerReader } from '../../../src/engine-worker/answer/answer-reader.ts';
import { answerKind } from '../../../src/engine-worker/answer/answer-kind.ts';
import type { ThinkingMarkers } from '../../../src/engine-worker/answer/thinking-splitter.ts';
import { matchesGrammar } from '../../../src/engine-worker/grammar/expressions/matches-grammar.ts';
import { requestGbnf } from '../../../src/engine-worker/llama-cpp/request-gbnf.ts';
import { CALL_SYNTAXES, HERMES } from '../../../src/engine-worker/tools/call-syntax/call-syntaxes.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import { Random } from '../../schema-proof/random.ts';
import { readGbnf } from '../../schema-proof/read-gbnf.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { askEngine } from '../fields/ask-engine.ts';

afterEach(() => vi.unstubAllGlobals());

const THINK = { open: '<think>', close: '</think>' };
const FENCE = '```';
const HERMES_CALL = '<tool_call>\n{"name": "get", "arguments": {}}\n</tool_call>';
const tools = [{ name: 'ping', description: null, parameters: null }];

/** Answers that explain marks, or contain them as code. */
const EXPLANATIONS: readonly string[] = [
  'Use `<think>` tags. They hold the reasoning.',
  'The tag <think> begins a thought. Parsers look for it.',
  'Models write:\n\n- <think> before a thought\n- </think> after it',
  `Like this:\n\n${FENCE}xml\n<think>\nHm.\n</think>\n${FENCE}\n\nThen comes the answer.`,
  `1. Like this:\n\n   ${FENCE}\n   <think>Hm.</think>\n   ${FENCE}\n\n2. Then comes the answer.`,
  `Quoted:\n> ~~~~\n> ~~~\n<think>\n> ~~~~\nIt ended.`,
  `The lines\r\n${FENCE}\r\n<think>\r\n${FENCE}\r\nend in two characters.`,
];

const CALL_EXPLANATIONS: readonly string[] = [
  `A call looks like this:\n\n${FENCE}xml\n${HERMES_CALL}\n${FENCE}\n\nThe result comes back as a message.`,
  `- Like this:\n  ${FENCE}xml\n  ${HERMES_CALL}\n  ${FENCE}\n- The result comes back.`,
  `~~~\n${FENCE}\n${HERMES_CALL}\n~~~\nIt comes back.`,
  '<tool_call> begins a call.\n</tool_call> ends it.',
  'The marks are:\n\n<tool_call>\n\nand\n\n</tool_call>.',
  `Like this:\n\n${HERMES_CALL}\n\nThe result comes back.`,
  `${HERMES_CALL} is a call.`,
  'Its first line is\n<tool_call>',
];

function read(text: string, longest: number, request: Partial<CompletionRequest>, markers: ThinkingMarkers = THINK) {
  const random = new Random(text.length);
  const reader = new AnswerReader({
    templateStops: [],
    stops: [],
    thinking: { markers, open: false },
    tools: null,
    ...answerKind({ ...completionRequest('Hi'), ...request }),
  });
  const parts = [];
  for (let rest = text; rest !== '';) {
    const length = 1 + random.below(longest);
    parts.push(...reader.push({ text: rest.slice(0, length), logprobs: [] }));
    rest = rest.slice(length);
  }
  const result = { content: '', reasoning: '' };
  for (const part of [...parts, ...reader.end(false)]) {
    if (part.type !== 'toolCalls') result[part.type] += part.pieces.map((piece) => piece.text).join('');
  }
  return result;
}

test.each([...EXPLANATIONS, ...CALL_EXPLANATIONS])('an answer that explains marks is whole: %j', async (text) => {
  for (const thinking of [null, false])
    for (const lead of ['', '<think>\nHm\n</think>\n\n'])
      for (const longest of [1, 5, 100]) {
        expect(read(lead + text, longest, { thinking })).toEqual({ content: text, reasoning: lead === '' ? '' : 'Hm' });
      }
  const reply = text.match(/[^]{1,4}/g)!;
  for (const engine of ['webllm', 'llamaCpp'] as const)
    for (const request of [{}, { thinking: false }]) {
      const answer = await askEngine(engine, { reply, thought: 'Hm' }, request);
      expect(answer).toMatchObject({ error: null, text, reasoning: 'thinking' in request ? '' : 'Hm' });
    }
});

const CALLS: readonly string[] = [
  HERMES_CALL,
  `${HERMES_CALL}\n${HERMES_CALL}\nIt rains.`,
  `${HERMES_CALL}\n<tool_response>\n{}\n</tool_response>\nIt rains.`,
  `${HERMES_CALL.slice(0, -20)}${'\n\n'.repeat(600)}`,
  '<tool_call>{"arguments": {}, "name": "get"}</tool_call>',
];

test.each(CALLS)('an answer without tools ends before a call: %j', async (call) => {
  for (const lead of ['Let me see.\n', `A call is in \`<tool_call>\`.\n\n  `])
    for (const longest of [1, 5, 2000]) {
      expect(read(lead + call, longest, {})).toEqual({ content: lead, reasoning: '' });
    }
  const answer = await askEngine('llamaCpp', { reply: ['So:\n', ...call.match(/[^]{1,4}/g)!] }, {});
  expect(answer).toMatchObject({ error: null, text: 'So:\n', calls: [] });
});

test.each<CompletionRequest['messages']>([
  [{ role: 'user', content: 'How does Hermes mark a tool call?' }],
  [{ role: 'user', content: [{ type: 'text', text: 'Was ist ein Tool-Aufruf?' }] }],
  [
    { role: 'system', content: 'Use <function=get>{}</function> to look up a town.' },
    { role: 'user', content: 'Rome?' },
  ],
])('in a conversation about calls, a call is text: %j', async (...messages) => {
  for (const engine of ['webllm', 'llamaCpp'] as const) {
    const answer = await askEngine(engine, { reply: HERMES_CALL.match(/[^]{1,4}/g)! }, { messages });
    expect(answer).toMatchObject({ error: null, text: HERMES_CALL, calls: [] });
  }
});

test.each([
  ['Montre-moi un appel d’outil de Hermes.', true],
  ['Comment écrire des appels de fonctions ?', true],
  ['Muestra una llamada a la herramienta.', true],
  ['¿Qué es una llamada a funciones?', true],
  ['Mostre uma chamada de função.', true],
  ['Come si scrive una chiamata di funzione?', true],
  ['Как выглядит вызов инструмента?', true],
  ['Hermes 的工具调用是什么样的？', true],
  ['如何呼叫函數？', true],
  ['ツールの呼び出しを見せて。', true],
  ['함수 호출 예시를 보여줘.', true],
  ['Comment appeler cet outil ?', true],
  ['Un appel aux fonctions', true],
  ['Como chamar uma função?', true],
  ['Chama uma ferramenta.', true],
  ['A chamada da função falhou.', true],
  ['Chiama uno strumento.', true],
  ['Come chiamare lo strumento?', true],
  ['Una chiamata della funzione', true],
  ['Как вызвать функцию?', true],
  ['Модель викликає функцію.', true],
  ['请调用一个函数。', true],
  ['関数を呼ぶ例を見せて。', true],
  ['함수를 호출해 줘.', true],
  ['도구를 호출하는 방법은?', true],
  ['툴을 호출해 줘.', true],
  ['Ruf mich an!', false],
  ['Llama 3 is a tool.', false],
  ['Chiama il dottore.', false],
  ['Вызови такси.', false],
  ['전화로 호출해 줘.', false],
  ['I called a function room.', false],
  ['Comment tu t’appelles ?', false],
  ['Llámame mañana.', false],
  ['它叫什么？', false],
])('a conversation is about calls in its own language: %j, %j', (content, isAboutCalls) => {
  const messages = [{ role: 'user', content }] as const;
  expect(read(HERMES_CALL, 5, { messages }).content).toBe(isAboutCalls ? HERMES_CALL : '');
});

test.each(EXPLANATIONS)('beside tools, an answer that explains thinking is whole: %j', async (text) => {
  const reply = text.match(/[^]{1,4}/g)!;
  for (const engine of ['webllm', 'llamaCpp'] as const) {
    const answer = await askEngine(engine, { reply: ['\n\n', ...reply], thought: 'Hm' }, { tools });
    expect(answer).toMatchObject({ error: null, text, reasoning: 'Hm', calls: [] });
  }
});

test.each<[string, string, Partial<CompletionRequest>, content: string, reasoning: string]>([
  ['thinks again in a new line', 'One.\n<think>Hm</think>\nTwo.', {}, 'One.\nTwo.', 'Hm'],
  [
    'thinks again after code',
    `${FENCE}\na\n${FENCE}\n\n<think>Hm</think>\n\nTwo.`,
    {},
    `${FENCE}\na\n${FENCE}\n\nTwo.`,
    'Hm',
  ],
  ['thinks twice before its answer', '<think>Hm</think> <think>Ah</think>\nTwo.', {}, 'Two.', 'HmAh'],
  ['thinks although it shall not', '<think>Hm</think>\nTwo.', { thinking: false }, 'Two.', 'Hm'],
  [
    'shall not think, and begins a line with the marker',
    'The tag:\n<think> begins a thought.',
    { thinking: false },
    'The tag:\n<think> begins a thought.',
    '',
  ],
])('a model that %s', (_what, text, request, content, reasoning) => {
  for (const longest of [1, 3, 100]) expect(read(text, longest, request)).toEqual({ content, reasoning });
});

test.each([
  ['Is it `</think>`?\n', 'Yes.'],
  ['Is it "</think>" or `</think>`?', 'Yes.'],
  ['`</think>`', '`Yes.`'],
  ['The code is `x`', 'Yes.'],
  ['Draft:\n"Roses are red,\nViolets are blue."', '"Roses are red."'],
  ['Code:\n```\nx\n```', '```\nx\n```'],
  ['It begins with `', 'Yes.'],
  ['It begins with "', "'Yes.'"],
])('thinking does not end with a marker that it quotes: %j', (thought, content) => {
  for (const longest of [1, 3, 100])
    for (const gap of ['', '\n\n']) {
      const result = read(`<think>${thought}</think>${gap}${content}`, longest, {});
      expect(result).toEqual({ content, reasoning: thought.trimEnd() });
    }
});

test('beside tools or a format, thinking ends with the first marker, which their grammars follow', async () => {
  for (const request of [{ tools }, { responseFormat: { type: 'regex', pattern: '"[?]', param: '' } as const }]) {
    const answer = await askEngine('llamaCpp', { reply: ['"?'], thought: 'Is it "' }, request);
    expect(answer).toMatchObject({ error: null, text: '"?', reasoning: 'Is it "' });
  }
});

test('thinking between tokens that only its model writes may begin within a line', () => {
  const markers = { open: '<|channel>thought', close: '<channel|>' };
  expect(read('Let me see. <|channel>thought\nHm<channel|>Two.', 3, {}, markers)).toEqual({
    content: 'Let me see. Two.',
    reasoning: 'Hm',
  });
});

const SENTENCES: readonly string[] = [
  'The tag <think> opens it.',
  'The tag <think> opens it.\nThe tag </think> closes it, and <think> does not.',
  'One.\n<think>Shall I? </think>\nTwo: <think> is a tag.',
  'One.\n\n  <think></think>Two.',
  '',
];

test.each([HERMES, ...CALL_SYNTAXES.map(({ syntax }) => syntax)])(
  'beside tools of $family, the grammar allows sentences about thinking, and only tools of the request',
  (syntax) => {
    const request = { ...completionRequest('Hi'), tools };
    const grammar = readGbnf(requestGbnf(request, syntax, { ...THINK, isOpen: false })!);
    for (const sentence of SENTENCES) expect([sentence, matchesGrammar(grammar, sentence)]).toEqual([sentence, true]);
    if (syntax.isWholeAnswer === true) return;
    const refused = [
      syntax.mark,
      `The tag <think> is one.\n${syntax.mark}`,
      `The tag <think>.\n${syntax.mark}\n</think>`,
    ];
    for (const text of refused) expect([text, matchesGrammar(grammar, text)]).toEqual([text, false]);
    const thought = `One.\n<think>Or ${syntax.mark}?</think>\nTwo.`;
    expect(matchesGrammar(grammar, thought)).toBe(true);
  },
);
