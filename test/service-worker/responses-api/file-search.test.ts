import { beforeEach, expect, test } from 'vitest';
import { createUpstreamRouter } from '../../../src/service-worker/upstreams/upstream-router.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { SentRequest } from '../../../src/shared/upstreams/sent-request.ts';
import { readUpstreams } from '../../../src/shared/upstreams/upstream.ts';
import { MemoryAnswers } from '../../support/fakes/memory-answers.ts';
import { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';
import { readError } from '../support/read-error.ts';
import { answerIn } from '../support/scripted-service.ts';

const TEXTS = { 'whales.txt': 'Whales live in the sea and eat krill.', 'bread.txt': 'Bread is baked from flour.' };

const answers = new MemoryAnswers();
let endpoint: DocumentEndpoint;
let store: string;
let files: string[];

beforeEach(async () => {
  endpoint = new DocumentEndpoint({ answers });
  ({ store, files } = await endpoint.filled(TEXTS));
});

/** Has words of both texts, most of them of the first. */
const QUESTION = 'What do whales eat in the sea? And bread?';

interface Item {
  readonly type: string;
  readonly id: string;
  readonly queries?: readonly string[];
  readonly results?: readonly { readonly text: string }[] | null;
  readonly content?: readonly { readonly text: string; readonly annotations: readonly { readonly index: number }[] }[];
}

const search = (more: object = {}) => ({ type: 'file_search', vector_store_ids: [store], ...more });

const post = (fields: object) => {
  const body = { model: 'pocket', input: QUESTION, tools: [search()], store: false, ...fields };
  return endpoint.app.send('/responses', { method: 'POST', body: JSON.stringify(body) });
};

async function respond(fields: object = {}): Promise<{ readonly id: string; readonly output: readonly Item[] }> {
  return (await (await post(fields)).json()) as { id: string; output: Item[] };
}

interface StreamEvent {
  readonly type: string;
  readonly output_index?: number;
  readonly item?: Item;
  readonly annotation?: object;
  readonly annotation_index?: number;
}

/** The events of a streamed response. */
async function streamed(): Promise<readonly StreamEvent[]> {
  const text = await (await post({ stream: true })).text();
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data!) as StreamEvent);
}

/** The text that the model got last from the user. */
const asked = () => String(endpoint.app.service.completions.at(-1)!.request.messages.at(-1)!.content);

test('the passages stand before the question, and the output begins with the search', async () => {
  const { output } = await respond();
  expect(output).toMatchObject([
    { type: 'file_search_call', status: 'completed', queries: [QUESTION], results: null },
    { type: 'message' },
  ]);
  expect(asked()).toContain(`[1] whales.txt\n${TEXTS['whales.txt']}`);
  expect(asked()).toMatch(/What do whales eat in the sea\? And bread\?$/);
});

test.each([
  [{}, { filters: null, max_num_results: 20, ranking_options: { ranker: 'auto', score_threshold: 0 } }],
  [
    { max_num_results: 3, ranking_options: { score_threshold: 0.1, ranker: null } },
    { filters: null, max_num_results: 3, ranking_options: { ranker: 'auto', score_threshold: 0.1 } },
  ],
])('the response repeats the tool %j with the defaults of the API', async (given, more) => {
  expect(await respond({ tools: [search(given)] })).toMatchObject({
    tools: [{ type: 'file_search', vector_store_ids: [store], ...more }],
  });
});

test('a question with an image keeps it, after the passages', async () => {
  const image_url = 'data:image/png;base64,iVBORw0KGgo=';
  const content = [
    { type: 'input_image', image_url },
    { type: 'input_text', text: QUESTION },
  ];
  await respond({ model: 'org/seer', input: [{ role: 'user', content }] });
  const [message] = endpoint.app.service.completions.at(-1)!.request.messages;
  expect(message!.content).toEqual([
    { type: 'text', text: expect.stringContaining('krill') },
    { type: 'image', url: image_url },
    { type: 'text', text: QUESTION },
  ]);
});

test('a conversation without a text of the user is not searched for', async () => {
  const { output } = await respond({ input: [{ role: 'system', content: 'Whales eat krill.' }] });
  expect(output[0]).toMatchObject({ type: 'file_search_call', queries: [] });
  expect(endpoint.app.service.completions.at(-1)!.request.messages).toEqual([
    { role: 'system', content: 'Whales eat krill.' },
  ]);
});

test('a message of images alone is not searched for, and the model is not told that nothing was found', async () => {
  const content = [{ type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' }];
  const { output } = await respond({ model: 'org/seer', input: [{ role: 'user', content }] });
  expect(output[0]).toMatchObject({ type: 'file_search_call', queries: [] });
  expect(endpoint.app.service.completions.at(-1)!.request.messages).toEqual([
    { role: 'user', content: [{ type: 'image', url: content[0]!.image_url }] },
  ]);
});

test.each([
  { type: 'input_file', file_id: 'file-1' },
  { type: 'input_image', file_id: 'file-1' },
])('a file in a message is refused with what to do instead: %j', async (part) => {
  const { error } = (await (await post({ input: [{ role: 'user', content: [part] }] })).json()) as {
    error: { code: string; message: string };
  };
  expect(error.code).toBe('unsupported_value');
  expect(error.message).toContain('`file_search`');
});

test('the results are included if the request asks for that, as many as it allows', async () => {
  const include = ['file_search_call.results'];
  const { output } = await respond({ include, tools: [search({ max_num_results: 1 })] });
  expect(output[0]!.results).toEqual([
    { file_id: files[0], filename: 'whales.txt', score: expect.any(Number), attributes: {}, text: TEXTS['whales.txt'] },
  ]);
});

test('filters and the lowest score leave out passages, and the model is told if nothing is left', async () => {
  await respond({ tools: [search({ filters: { type: 'eq', key: 'kind', value: 'food' } })] });
  expect(asked()).toContain('found nothing');
  expect(asked()).not.toContain('krill');
  await respond({ tools: [search({ ranking_options: { score_threshold: 1 } })] });
  expect(asked()).toContain('found nothing');
});

test('only as many passages are given as fit beside the answer, but one at least', async () => {
  const long = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [`${name}.txt`, `Whales ${name} ${'eat krill and '.repeat(60)}`]),
  );
  const { store: many } = await endpoint.filled(long);
  const include = ['file_search_call.results'];
  const tools = [{ type: 'file_search', vector_store_ids: [many] }];
  const given = async (max_output_tokens: number) =>
    (await respond({ tools, include, max_output_tokens })).output[0]!.results!.length;
  expect(await given(16)).toBeGreaterThan(1);
  const model = { ...endpoint.models[0]!, contextWindow: 400 };
  endpoint.models = [model, ...endpoint.models.slice(1)];
  expect(await given(200)).toBe(1);
});

test.each<[string, readonly string[], readonly [number, string][]]>([
  ['one', ['They eat krill [1].'], [[15, 'whales.txt']]],
  ['in two pieces', ['They eat [', '1', '].'], [[9, 'whales.txt']]],
  [
    'of two passages',
    ['Yes [1, 2].'],
    [
      [4, 'whales.txt'],
      [4, 'bread.txt'],
    ],
  ],
  [
    'one after the other',
    ['Yes [2][1].'],
    [
      [4, 'bread.txt'],
      [7, 'whales.txt'],
    ],
  ],
  ['in other brackets', ['はい【1】。'], [[2, 'whales.txt']]],
  ['after a pair of surrogates', ['🐋 [1]'], [[3, 'whales.txt']]],
  [
    'of a range',
    ['Yes [1-2].'],
    [
      [4, 'whales.txt'],
      [4, 'bread.txt'],
    ],
  ],
  ['that points to nothing', ['No [3] [0] [1x] [].'], []],
  ['that is an index', ['Set a[1] to $b[2], or 数据 [1].'], [[25, 'whales.txt']]],
  ['that is an index of a name', ['my_list[1] x2[1] userNames[1] _x[2] $items[1] MY_LIST_2[1] i[2] row12b[1]'], []],
  [
    'directly after a word',
    ['They eat krill[1]. Ils mangent du pain[2], 数据[1]。'],
    [
      [14, 'whales.txt'],
      [38, 'bread.txt'],
      [45, 'whales.txt'],
    ],
  ],
  [
    'directly after a number, a unit or a short word',
    ['Since 1998[1], 3rd[2], 20 kg[1], 9 kWh[2], 5 m²[1], 7$[2], in the EU[1], zu[2].'],
    [
      [10, 'whales.txt'],
      [18, 'bread.txt'],
      [28, 'whales.txt'],
      [38, 'bread.txt'],
      [47, 'whales.txt'],
      [54, 'bread.txt'],
      [68, 'whales.txt'],
      [75, 'bread.txt'],
    ],
  ],
  [
    'directly after a name of a person or a product, or after emphasis',
    ['By McDonald[1], in JavaScript[2], of _krill_[1], on an iPad[2].'],
    [
      [11, 'whales.txt'],
      [29, 'bread.txt'],
      [44, 'whales.txt'],
      [59, 'bread.txt'],
    ],
  ],
  ['that is a link', ['See [1](', 'https://a.example), [1', '](b) and [here][2].'], []],
  ['before a link, in pieces', ['Krill [1]', ' (see below)'], [[6, 'whales.txt']]],
  ['that is a footnote', ['Krill.[^1] And ![1](a.png)'], []],
  ['in code', ['`a [1]', '` and ``b ` [1]``, but [2]'], [[29, 'bread.txt']]],
  ['in a block of code', ['So:\n\n```js\n[1]\n', '``', '`\n[2]'], [[19, 'bread.txt']]],
  ['in a block of code without an end', ['~~~\n[1]\n```\n[2]'], []],
  [
    'after a backtick that opens no code',
    ['An ` [1]\n\nand ` [2]'],
    [
      [5, 'whales.txt'],
      [16, 'bread.txt'],
    ],
  ],
  ['after code of three backticks', ['``', '`a [1]``', '` [2]'], [[12, 'bread.txt']]],
  ['after a long text without marks', ['a '.repeat(50), '[1', ']'], [[100, 'whales.txt']]],
])(
  'a mark %s becomes a citation at its place, the same in a stream, and the text stays',
  async (_what, pieces, expected) => {
    endpoint.app.service.play(answerIn(...pieces));
    const text = pieces.join('');
    const annotations = expected.map(([index, filename]) => ({
      type: 'file_citation',
      file_id: files[filename === 'whales.txt' ? 0 : 1],
      filename,
      index,
    }));
    expect((await respond()).output[1]!.content).toEqual([{ type: 'output_text', text, annotations, logprobs: [] }]);
    const events = await streamed();
    const added = events.filter(({ type }) => type === 'response.output_text.annotation.added');
    expect(added.map(({ annotation }) => annotation)).toEqual(annotations);
    expect(added.map(({ annotation_index }) => annotation_index)).toEqual(annotations.map((_, index) => index));
  },
);

test('an answer in JSON has no citations', async () => {
  endpoint.app.service.play(answerIn('[1]'));
  const format = { type: 'json_schema', name: 'a', schema: { type: 'array', items: { type: 'integer' } } };
  const { output } = await respond({ text: { format } });
  expect(output[1]!.content).toMatchObject([{ text: '[1]', annotations: [] }]);
});

test('a stream has the events of the search before those of the message', async () => {
  const events = await streamed();
  expect(events.map(({ type }) => type).slice(0, 9)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.file_search_call.in_progress',
    'response.file_search_call.searching',
    'response.file_search_call.completed',
    'response.output_item.done',
    'response.output_item.added',
    'response.content_part.added',
  ]);
  expect(events[2]).toMatchObject({ output_index: 0, item: { type: 'file_search_call', status: 'in_progress' } });
  expect(events[7]).toMatchObject({ output_index: 1, item: { type: 'message' } });
});

const FUNCTION = { type: 'function', name: 'look', parameters: { type: 'object', properties: {} } };

test.each<[unknown, boolean, unknown, number]>([
  ['auto', true, 'auto', 1],
  ['none', false, 'none', 0],
  ['required', true, 'auto', 1],
  [{ type: 'file_search' }, true, 'none', 0],
  [{ type: 'function', name: 'look' }, false, { name: 'look' }, 1],
  [{ type: 'allowed_tools', mode: 'auto', tools: [{ type: 'file_search' }] }, true, 'none', 0],
  [{ type: 'allowed_tools', mode: 'required', tools: [{ type: 'file_search' }, FUNCTION] }, true, 'auto', 1],
  [{ type: 'allowed_tools', mode: 'auto', tools: [FUNCTION] }, false, 'auto', 1],
])('with the tool choice %j a search happens: %s', async (tool_choice, searches, toolChoice, tools) => {
  const { output } = await respond({ tools: [search(), FUNCTION], tool_choice });
  expect(output.map(({ type }) => type)).toEqual([...(searches ? ['file_search_call'] : []), 'message']);
  const { request } = endpoint.app.service.completions.at(-1)!;
  expect([request.toolChoice, request.tools.length]).toEqual([toolChoice, tools]);
});

test.each<[object, { status: number; code: string; param: string }]>([
  [
    { tools: [{ type: 'file_search' }] },
    { status: 400, code: 'missing_required_parameter', param: 'tools[0].vector_store_ids' },
  ],
  [
    { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] },
    { status: 404, code: 'vector_store_not_found', param: 'tools[0].vector_store_ids' },
  ],
  [
    { tools: [FUNCTION], tool_choice: { type: 'file_search' } },
    { status: 400, code: 'invalid_value', param: 'tool_choice.type' },
  ],
])('%j is refused', async (fields, expected) => {
  expect(await readError(await post(fields))).toMatchObject(expected);
});

test('two searches of files in one request are refused', async () => {
  expect(await readError(await post({ tools: [search(), search()] }))).toMatchObject({
    status: 400,
    code: 'invalid_value',
    param: 'tools[1].type',
  });
});

test('a stored response keeps the citations, but not the passages, and the next one does not get them', async () => {
  const id = `resp_${'a'.repeat(32)}`;
  const events = [{ type: 'begun', created: 1, answerId: id } as const, ...answerIn('Krill [1].')];
  endpoint.app.service.play(events);
  const { output } = await respond({ store: true, instructions: 'Be short.' });
  await answers.addLog(id, events);
  expect(output[1]!.content![0]!.annotations).toMatchObject([{ file_id: files[0] }]);
  const stored = (await (await endpoint.app.send(`/responses/${id}/input_items`)).json()) as object;
  expect(JSON.stringify(stored)).not.toContain('krill');
  expect(JSON.stringify([...answers.answers.values()])).not.toContain('krill');
  await respond({ input: 'And where?', previous_response_id: id, tools: [] });
  const { messages } = endpoint.app.service.completions.at(-1)!.request;
  expect(messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', QUESTION],
    ['assistant', 'Krill [1].'],
    ['user', 'And where?'],
  ]);
});

test('a repeated request joins an answer only if the model got the same passages', async () => {
  const fingerprint = async () => {
    await respond();
    return endpoint.app.service.completions.at(-1)!.options.fingerprint;
  };
  const first = await fingerprint();
  expect(await fingerprint()).toBe(first);
  await endpoint.json('DELETE', `/files/${files[0]}`);
  expect(await fingerprint()).not.toBe(first);
});

test('the items of a response can be sent back as input', async () => {
  const { output } = await respond({ include: ['file_search_call.results'] });
  const input = [{ role: 'user', content: QUESTION }, ...output, { role: 'user', content: 'Where?' }];
  await respond({ input, tools: [] });
  const { messages } = endpoint.app.service.completions.at(-1)!.request;
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
});

test.for([
  ['was deleted', 404],
  ['does not load', 503],
] as const)('a question about a store whose model %s goes to no upstream', async ([fault, status]) => {
  const sent: SentRequest[] = [];
  const upstreams = createUpstreamRouter(
    readUpstreams([{ name: 'desk', baseUrl: 'https://desk.test/v1', models: ['pocket'], when: 'prefer-local' }]),
    {
      findPermission: async (origin) => ({ origin, granted: 0, key: null }),
      addSentRequest: async (request) => void sent.push(request),
      announceSentRequest: () => {},
      holdAnswerLock: async () => {},
      headersTimeout: 20_000,
      fetch: async () => new Response('', { status: 500 }),
    },
  );
  endpoint = new DocumentEndpoint({ answers, upstreams });
  ({ store, files } = await endpoint.filled(TEXTS));
  if (fault === 'was deleted') endpoint.models = endpoint.models.filter(({ id }) => id !== 'words');
  else endpoint.completions.failures.push(new ApiError('model_load_failed', 'No such file.'));
  const response = await post({});
  expect(response.status).toBe(status);
  expect(await readError(response)).toMatchObject({ param: 'tools[0].vector_store_ids' });
  expect(sent).toEqual([]);
});
