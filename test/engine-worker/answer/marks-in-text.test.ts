import { expect, test } from 'vitest';
import { AnswerReader } from '../../../src/engine-worker/answer/answer-reader.ts';
import { answerKind } from '../../../src/engine-worker/answer/answer-kind.ts';
import { toolCallParserOf } from '../../../src/engine-worker/answer/tool-call-parser.ts';
import { matchesGrammar } from '../../../src/engine-worker/grammar/expressions/matches-grammar.ts';
import { requestGbnf } from '../../../src/engine-worker/llama-cpp/request-gbnf.ts';
import type { CallSyntax } from '../../../src/engine-worker/tools/call-syntax/call-syntax.ts';
import { CALL_SYNTAXES, HERMES } from '../../../src/engine-worker/tools/call-syntax/call-syntaxes.ts';
import { distinctSyntax } from '../../../src/engine-worker/tools/call-syntax/distinct-syntax.ts';
import type { CompletionRequest, JsonSchema, Tool } from '../../../src/shared/engine/completion-request.ts';
import { Random } from '../../schema-proof/random.ts';
import { readGbnf } from '../../schema-proof/read-gbnf.ts';
import { GrammarSampler } from '../../schema-proof/sample-grammar.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { askEngine } from '../fields/ask-engine.ts';
import { parseAnswer } from '../tools/parse-answer.ts';
import { SHORT_TEMPLATES } from '../tools/short-templates.ts';
import { WRITTEN_CALLS } from '../tools/written-calls.ts';

/** Stop sequences of chat templates; the scripted WebLLM's own is the first. */
const TURN_ENDS = ['<|end|>', '<|im_end|>', '<end_of_turn>', '</s>'];
const THINKING = { open: '<think>', close: '</think>' };

/** What has a meaning somewhere in an answer: ends of turns, marks of thinking and channels, and each syntax's calls. */
const MARKS = [
  ...TURN_ENDS,
  '<think>',
  '</think>',
  '<|channel|>analysis<|message|>',
  '<|start|>assistant',
  '<|return|>',
  '<|call|>',
  ...CALL_SYNTAXES.flatMap(({ syntax }) => [syntax.mark, `\n${syntax.open ?? ''}`, syntax.close ?? '']),
  ...WRITTEN_CALLS.map(({ written }) => written),
];
const WORDS = ['a', ' ', 'Rome', '\n', '"', '\\', '🙂', '<', '{'];

const TOOLS: readonly Tool[] = [
  { name: 'ping', description: null, parameters: null },
  {
    name: 'weather',
    description: null,
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];

function markedText(random: Random): string {
  const parts = Array.from({ length: 1 + random.below(3) }, () => random.of(MARKS));
  return parts.map((mark) => random.of(WORDS) + mark + random.of(WORDS)).join('');
}

/** Returns an object whose strings have marks, and a schema that forces them, binds them or leaves them free. */
function markedObject(random: Random): { schema: JsonSchema; value: Record<string, string> } {
  const value = Object.fromEntries(['x', 'y'].slice(random.below(2)).map((name) => [name, markedText(random)]));
  const schemaOf = (text: string): JsonSchema =>
    random.of<JsonSchema>([
      { const: text },
      { enum: ['b', text] },
      { type: 'string', pattern: `^${text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, String.raw`\$&`)}$` },
      { type: 'string' },
    ]);
  const properties = Object.fromEntries(Object.entries(value).map(([name, text]) => [name, schemaOf(text)]));
  const schema = { type: 'object', properties, required: Object.keys(value), additionalProperties: false };
  return { schema, value };
}

function cut(text: string, random: Random, longest = random.of([3, 30])): readonly string[] {
  const pieces: string[] = [];
  for (let rest = Array.from(text); rest.length > 0;) {
    const length = 1 + random.below(longest);
    pieces.push(rest.slice(0, length).join(''));
    rest = rest.slice(length);
  }
  return pieces;
}

const HARMONY = 'gpt-oss';

function read(
  pieces: readonly string[],
  request: CompletionRequest,
  syntax: CallSyntax,
  random: Random,
  isCut = false,
) {
  const thinking = random.of([null, { markers: THINKING, open: false }]);
  const reader = new AnswerReader({
    templateStops: TURN_ENDS,
    stops: [],
    thinking: syntax.family === HARMONY ? 'channels' : thinking,
    tools: toolCallParserOf(request, syntax),
    syntax,
    ...answerKind(request),
  });
  const parts = pieces.flatMap((text) => (reader.complete ? [] : reader.push({ text, logprobs: [] })));
  const result = { content: '', reasoning: '', input: '' };
  for (const part of [...parts, ...reader.end(isCut)]) {
    if (part.type === 'toolCalls') result.input += part.toolCalls.map((call) => call.arguments).join('');
    else result[part.type] += part.pieces.map(({ text }) => text).join('');
  }
  return result;
}

const fields = (changed: Partial<CompletionRequest>): CompletionRequest => ({ ...completionRequest('Hi'), ...changed });
const jsonFormat = (schema: JsonSchema) => ({ type: 'json_schema', schema }) as const;

test.each(CALL_SYNTAXES)(
  'property: marks in an answer of a schema are text, also beside tools of $syntax.family',
  ({ syntax }) => {
    const random = new Random(1);
    for (let round = 0; round < 30; round++) {
      const { schema, value } = markedObject(random);
      const content = JSON.stringify(value);
      const written = syntax.family === HARMONY ? `<|channel|>final<|message|>${content}` : content;
      const request = fields({ responseFormat: jsonFormat(schema), tools: random.of([TOOLS, []]) });
      const result = read(cut(written, random), request, distinctSyntax(request, syntax), random);
      expect(result).toEqual({ content, reasoning: '', input: '' });
    }
  },
);

/** Returns a tool with the members of an object as its only possible arguments. */
function forcedTool(value: Readonly<Record<string, string>>): Tool {
  const properties = Object.fromEntries(Object.entries(value).map(([name, text]) => [name, { const: text }]));
  const parameters = { type: 'object', properties, required: Object.keys(value), additionalProperties: false };
  return { name: 'note', description: null, parameters };
}

function writtenCall(tool: Tool, syntax: CallSyntax, random: Random): string {
  const request = fields({ tools: [tool], toolChoice: 'required', parallelToolCalls: false });
  return new GrammarSampler(readGbnf(requestGbnf(request, syntax)!)).sample(random);
}

test.each(CALL_SYNTAXES)('property: marks in arguments of a call of $syntax.family are text', ({ syntax }) => {
  const random = new Random(2);
  for (let round = 0; round < 12; round++) {
    const { value } = markedObject(random);
    const tool = forcedTool(value);
    const result = read(cut(writtenCall(tool, syntax, random), random), fields({ tools: [tool] }), syntax, random);
    const input = JSON.parse(result.input) as unknown;
    expect({ ...result, input }).toEqual({ content: '', reasoning: '', input: value });
  }
});

/** xgrammar does not allow each token that spans several parts of JSON, which only makes the model take shorter ones. */
const LONGEST_TOKEN = 4;

/** Families whose scripted model does not think: its calls begin with white space, or with a header that the script lacks. */
const NO_THOUGHT = ['Firefunction', HARMONY];

test.each(Object.entries(SHORT_TEMPLATES))(
  'the engines keep marks in a text of a schema and in arguments, where llama.cpp has calls of %s',
  async (family, callTemplate) => {
    const { syntax } = CALL_SYNTAXES.find((one) => one.syntax.family === family)!;
    const random = new Random(family.length);
    // WebLLM's models are always asked for calls of Hermes.
    for (const engine of random.once(4) ? (['webllm', 'llamaCpp'] as const) : (['llamaCpp'] as const)) {
      const { schema, value } = markedObject(random);
      const content = JSON.stringify(value);
      const thinks = !NO_THOUGHT.includes(family) && random.once(2);
      const lead = family === HARMONY && engine === 'llamaCpp' ? '<|channel|>final<|message|>' : thinks ? '\n\n' : '';
      const model = { callTemplate, ...(thinks ? { thought: 'Hm' } : {}) };
      const reply = cut(lead + content, random, LONGEST_TOKEN);
      const answer = await askEngine(engine, { ...model, reply }, { responseFormat: jsonFormat(schema), tools: TOOLS });
      expect(answer).toMatchObject({ error: null, text: content, calls: [] });
      const tool = forcedTool(value);
      const written = writtenCall(tool, engine === 'webllm' ? HERMES : syntax, random);
      const gap = thinks ? '\n\n' : '';
      const called = await askEngine(
        engine,
        { ...model, reply: cut(gap + written, random, LONGEST_TOKEN) },
        { tools: [tool] },
      );
      expect(called).toMatchObject({ error: null, text: '', calls: ['note'] });
      expect(JSON.parse(called.inputs[0]!)).toEqual(value);
    }
  },
);

const LLAMA = CALL_SYNTAXES.find(({ syntax }) => syntax.family === 'Llama 3')!.syntax;
const LIKE_A_CALL = '{"name": "weather", "parameters": {"city": "Rome"}}';
const LIKE_CALLS = jsonFormat({
  type: 'object',
  properties: {
    name: { type: 'string' },
    parameters: { type: 'object', properties: { city: {} }, required: ['city'] },
  },
  required: ['name', 'parameters'],
});

test.each<[string, Partial<CompletionRequest>, string, string[]]>([
  ['JSON that looks like a call', { responseFormat: LIKE_CALLS }, LIKE_A_CALL, []],
  ['a call, which its token then begins', { responseFormat: LIKE_CALLS }, `<|python_tag|>${LIKE_A_CALL}`, ['weather']],
  [
    'a call that the schema does not allow as an answer',
    { responseFormat: jsonFormat({ type: 'object', properties: { city: {} } }) },
    LIKE_A_CALL,
    ['weather'],
  ],
  ['a call, where nothing else is asked for', {}, LIKE_A_CALL, ['weather']],
])(
  'where calls are JSON without a mark, an answer of a schema is not taken for a call: %s',
  async (_what, format, written, calls) => {
    const model = { callTemplate: SHORT_TEMPLATES['Llama 3']!, reply: [...written] };
    const request = fields({ ...format, tools: TOOLS });
    const gbnf = requestGbnf(request, distinctSyntax(request, LLAMA))!;
    expect(matchesGrammar(readGbnf(gbnf), written)).toBe(true);
    const answer = await askEngine('llamaCpp', model, { ...format, tools: TOOLS });
    expect(answer).toMatchObject({ error: null, calls, text: calls.length > 0 ? '' : written });
  },
);

const CHOICE = { type: 'choice', choices: ['<tool_call>', '<tool_call>\n{"name": "we', '<|end|>'] } as const;

test.each(CHOICE.choices)('the choice %j is delivered, also beside tools', async (text) => {
  for (const engine of ['webllm', 'llamaCpp'] as const)
    for (const tools of [[], TOOLS]) {
      const reply = text.match(/[^]{1,4}/g)!;
      expect(await askEngine(engine, { reply }, { responseFormat: CHOICE, tools })).toMatchObject({
        error: null,
        text,
      });
    }
});

const CALL = '<tool_call>\n{"name": "ping", "arguments": ';

test.each<[string, CompletionRequest['responseFormat'], allowed: string]>([
  ['any text', { type: 'regex', pattern: String.raw`[\s\S]*`, param: 'guided_regex' }, 'a'],
  ['a text like a call', { type: 'choice', choices: ['a', `${CALL}{}}\n</tool_call>`] }, 'a'],
  [
    'a grammar',
    { type: 'grammar', grammar: String.raw`root ::= "<tool_call>\n" [^z]* "z"`, param: 'grammar' },
    '<tool_call>\nz',
  ],
])(
  '%s as an answer beside tools is refused, because it cannot be distinguished from a call',
  async (_what, responseFormat, allowed) => {
    for (const engine of ['webllm', 'llamaCpp'] as const) {
      const either = await askEngine(engine, { reply: [...CALL] }, { responseFormat, tools: TOOLS });
      const message = expect.stringContaining(JSON.stringify(CALL)) as string;
      expect(either).toMatchObject({ text: '', error: { status: 400, param: 'tools', message } });
      const alone = { responseFormat, tools: TOOLS, toolChoice: 'none' } as const;
      expect(await askEngine(engine, { reply: [...allowed] }, alone)).toMatchObject({ error: null, text: allowed });
    }
  },
);

const STRING = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const SPACED = { type: 'choice', choices: [' yes', '\n no'] } as const;

test.each<[string, CompletionRequest['responseFormat'], pieces: readonly string[]]>([
  ['after a token of white space', jsonFormat(STRING), ['{"a":"hello', ' ', '<think>', ' x"}']],
  ['after a token of line feeds', jsonFormat(STRING), ['{', '"a":"', '<think>', '\n\n', '<think>', '"}']],
])('the marks of thinking in an answer of a format are text %s', async (_where, responseFormat, pieces) => {
  const random = new Random(1);
  for (let round = 0; round < 4; round++) {
    const { content, reasoning } = read(pieces, fields({ responseFormat }), HERMES, random);
    expect({ content, reasoning }).toEqual({ content: pieces.join(''), reasoning: '' });
  }
});

test.each(SPACED.choices)('an answer of a format keeps the white space at its beginning: %j', async (text) => {
  const pieces = [...text];
  const lead = ['<|channel|>analysis<|message|>', 'Hm', '<|end|><|start|>assistant'];
  const harmony = {
    callTemplate: SHORT_TEMPLATES[HARMONY]!,
    reply: [...lead, '<|channel|>final<|message|>', ...pieces],
  };
  const models = [
    ['webllm', { reply: ['\n\n', ...pieces], thought: 'Hm' }],
    ['llamaCpp', { reply: ['\n\n', ...pieces], thought: 'Hm' }],
    ['llamaCpp', { reply: pieces, thought: 'Hm' }],
    ['llamaCpp', harmony],
  ] as const;
  for (const [engine, model] of models) {
    const answer = await askEngine(engine, model, { responseFormat: SPACED });
    expect(answer).toMatchObject({ error: null, text, reasoning: 'Hm' });
  }
});

/** Control tokens of families other than that of the scripted models. */
const FOREIGN = ['[/INST]', '<|eot_id|>', '<end_of_turn>', '<|END_OF_TURN_TOKEN|>', '[TOOL_CALLS]', '<start_of_image>'];

test.each(FOREIGN)(
  '%s is text as a name of a property, after the beginning of an answer and in a grammar',
  async (mark) => {
    const literal = JSON.stringify(mark);
    const named = {
      type: 'object',
      properties: { [mark]: { const: 1 } },
      required: [mark],
      additionalProperties: false,
    };
    const forms: readonly [CompletionRequest['responseFormat'], answerPrefix: string, rest: string][] = [
      [jsonFormat(named), '', `{${literal}: 1}`],
      [jsonFormat({ type: 'array', items: { enum: [mark] }, minItems: 1, maxItems: 1 }), `["${mark}`, '"]'],
      [{ type: 'choice', choices: [`ab${mark}cd`, 'z'] }, 'ab', `${mark}cd`],
      [{ type: 'choice', choices: [`ab${mark}cd`, 'z'] }, `ab${mark}`, 'cd'],
      [{ type: 'grammar', grammar: `root ::= ${literal}`, param: 'grammar' }, '', mark],
    ];
    for (const engine of ['webllm', 'llamaCpp'] as const)
      for (const [responseFormat, answerPrefix, rest] of forms) {
        const answer = await askEngine(engine, { reply: [...rest] }, { responseFormat, answerPrefix, tools: TOOLS });
        expect(answer).toMatchObject({ error: null, text: rest, calls: [] });
      }
  },
);

test.each(CALL_SYNTAXES)(
  'a call of $syntax.family that max_tokens cuts anywhere keeps the beginning of its arguments',
  ({ syntax }) => {
    const random = new Random(3);
    const tool = forcedTool({ city: 'Rome', note: 'a, b: "c"' });
    const request = fields({ tools: [tool], toolChoice: 'required', parallelToolCalls: false });
    const written = [...writtenCall(tool, syntax, random)];
    const whole = parseAnswer(written, { tools: [tool], syntax }).calls[0]!.input;
    for (let length = 0; length <= written.length; length++) {
      const { content, input } = read(written.slice(0, length), request, syntax, random, length < written.length);
      expect({ content, isBeginning: whole.startsWith(input) }).toEqual({ content: '', isBeginning: true });
    }
  },
);
