import {
  createLanguageModel,
  installLanguageModel,
  type CreateOptions,
  type LanguageModelTool,
  type Prompt,
} from '../../../src/prompt-api/index.ts';

const headers = { authorization: 'Bearer local', 'content-type': 'application/json' };

/** The members of the result of `register()` that are used here. The page itself has already registered. */
const tabserve = {
  ready: Promise.resolve(),
  fetch: globalThis.fetch.bind(globalThis),
  basePath: '/v1',
  status: { state: 'idle', message: '' },
  async load(model: string) {
    const response = await fetch('/v1/tokenize', {
      method: 'POST',
      headers,
      body: JSON.stringify({ model, content: 'a' }),
    });
    if (!response.ok) throw new Error(await response.text());
  },
  addEventListener() {},
  removeEventListener() {},
} as const;

const LanguageModel = createLanguageModel(tabserve);
const QUESTION = 'What is a service worker?';

const asked: unknown[] = [];
const WEATHER: LanguageModelTool = {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  async execute(parameters: never) {
    asked.push(parameters);
    return 'sunny, 21 degrees';
  },
};

/** Tool definitions with invalid members, which a page may pass. */
const withTool = (changes: object) => nameOf(create({ tools: [{ ...WEATHER, ...changes }] }));

const create = (options: CreateOptions = {}) => LanguageModel.create({ samplingMode: 'most-predictable', ...options });

/** Returns the name of a promise's rejection; its value if it resolves. */
async function nameOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (thrown) {
    return thrown instanceof Error || thrown instanceof DOMException ? thrown.name : thrown;
  }
}

async function read(stream: ReadableStream<string>): Promise<string[]> {
  const pieces: string[] = [];
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(next.value);
  return pieces;
}

/** The rest of an answer that begins with a text and follows a constraint as a whole. */
async function begin(content: string, responseConstraint: object): Promise<string> {
  const begun = { role: 'assistant', content, prefix: true } as const;
  return (await create()).prompt([{ role: 'user', content: 'Is it good?' }, begun], { responseConstraint });
}

/** Runs a case; `test/browser/library/prompt-api.spec.ts` has the expected results. */
export async function run(name: keyof typeof CASES): Promise<unknown> {
  return CASES[name]();
}

const prompting =
  (input: unknown, options: CreateOptions = {}) =>
  async () =>
    nameOf((await create(options)).prompt(input as Prompt));

const CASES = {
  async shape() {
    const session = await create();
    const members = [
      'prompt',
      'promptStreaming',
      'append',
      'clone',
      'destroy',
      'measureContextUsage',
      'measureInputUsage',
    ];
    return {
      functions: members.every((member) => typeof Reflect.get(session, member) === 'function'),
      isInstance: session instanceof (LanguageModel as unknown as new () => object),
      isTarget: session instanceof EventTarget,
      window: session.contextWindow === session.inputQuota && session.contextWindow > 100,
      usage: [session.contextUsage, session.inputUsage],
      handlers: [session.oncontextoverflow, session.onquotaoverflow],
    };
  },
  availability: () =>
    Promise.all([
      LanguageModel.availability(),
      LanguageModel.availability({ expectedInputs: [{ type: 'text', languages: ['en', 'EN-gb'] }] }),
      LanguageModel.availability({ expectedOutputs: [{ type: 'text', languages: ['en', 'de-AT'] }] }),
      createLanguageModel(tabserve, { languages: ['de'] }).availability({
        expectedOutputs: [{ type: 'text', languages: ['de-AT'] }],
      }),
      LanguageModel.availability({ expectedInputs: [{ type: 'image' }] }),
      LanguageModel.availability({ expectedInputs: [{ type: 'audio' }] }),
      LanguageModel.availability({ tools: [WEATHER], expectedInputs: [{ type: 'tool-response' }] }),
      createLanguageModel(tabserve, { model: 'nobody' }).availability(),
      createLanguageModel(tabserve, { model: 'pocket-embed' }).availability(),
      nameOf(LanguageModel.availability({ expectedInputs: [{ type: 'smell' as 'text' }] })),
      nameOf(LanguageModel.availability({ expectedInputs: [{ type: 'text', languages: ['not a tag'] }] })),
    ]),
  async answer() {
    const session = await create();
    const said = await session.prompt(QUESTION);
    const streamed = await read((await create()).promptStreaming([{ role: 'user', content: QUESTION }]));
    const parts = [{ type: 'text', value: 'What is a ' } as const, { type: 'text', value: 'service worker?' } as const];
    const joined = await (await create()).prompt([{ role: 'user', content: parts }]);
    return {
      isText: /\w/.test(said),
      same: [streamed.join('') === said, joined === said],
      pieces: streamed.length > 1,
      sum:
        session.contextUsage -
        (await session.measureContextUsage(QUESTION)) -
        (await session.measureContextUsage([{ role: 'assistant', content: said }])),
    };
  },
  async tools() {
    const session = await create({ tools: [WEATHER] });
    const said = await session.prompt('What is the weather in Paris?');
    const streamed = await read((await create({ tools: [WEATHER] })).promptStreaming('What is the weather in Paris?'));
    const plain = await create();
    await plain.prompt('What is the weather in Paris?');
    return {
      asked,
      said: /sunny/i.test(said),
      same: streamed.join('') === said,
      counted: session.contextUsage > plain.contextUsage,
    };
  },
  async 'a tool that fails'() {
    const failing = { ...WEATHER, execute: () => Promise.reject(new RangeError('No weather.')) };
    return nameOf((await create({ tools: [failing] })).prompt('What is the weather in Paris?'));
  },
  async 'wrong tools'() {
    const circular: Record<string, unknown> = { type: 'object' };
    circular['self'] = circular;
    return Promise.all([
      withTool({ name: '' }),
      withTool({ description: '' }),
      withTool({ execute: undefined }),
      withTool({ inputSchema: null }),
      withTool({ inputSchema: 'text' }),
      withTool({ inputSchema: {} }),
      withTool({ inputSchema: { type: 'string' } }),
      withTool({ inputSchema: { type: 'object', properties: 'none' } }),
      withTool({ inputSchema: { type: 'object', required: 'none' } }),
      withTool({ inputSchema: circular }),
      nameOf(create({ tools: [WEATHER, WEATHER] })),
    ]);
  },
  async prefix() {
    const session = await create();
    const question = { role: 'user', content: 'What is a service worker?' } as const;
    const begun = { role: 'assistant', content: 'A service worker is', prefix: true } as const;
    const said = await session.prompt([question, begun]);
    const whole = await create();
    await whole.append([question, { role: 'assistant', content: `A service worker is${said}` }]);
    return {
      goesOn: said.startsWith(' ') && !said.includes('A service worker is'),
      usage: session.contextUsage - whole.contextUsage,
      tools: await nameOf((await create({ tools: [WEATHER] })).prompt([question, begun])),
      initial: typeof (await create({ initialPrompts: [question, begun] })).contextUsage,
    };
  },
  async 'a prefix with a constraint'() {
    const schema = {
      type: 'object',
      properties: { stars: { type: 'integer', minimum: 1, maximum: 5 } },
      required: ['stars'],
    };
    const rest = await begin('{ "stars": ', schema);
    const { stars } = JSON.parse(`{ "stars": ${rest}`) as { stars: number };
    return {
      inRange: stars >= 1 && stars <= 5,
      pattern: await begin('Good', /Goodbye|Bad/),
      whole: await begin('Bad', /Goodbye|Bad/),
      other: await nameOf(begin('Great', /Goodbye|Bad/)),
    };
  },
  async 'sampling modes'() {
    const modes = ['most-predictable', 'predictable', 'slightly-predictable', 'balanced'] as const;
    const sessions = [...modes, 'slightly-creative', 'creative', 'most-creative'] as const;
    const copies = sessions.map(async (samplingMode) => (await (await create({ samplingMode })).clone()).samplingMode);
    return Promise.all(copies);
  },
  async 'empty inputs'() {
    const session = await create();
    const inputs = [null, undefined, {}, '', [], [{ role: 'user', content: [] }]] as unknown as Prompt[];
    await session.append([]);
    const nothing = session.contextUsage;
    return [nothing, ...(await Promise.all(inputs.map((input) => nameOf(session.append(input)))))];
  },
  async remembers() {
    const session = await create({ initialPrompts: [{ role: 'system', content: 'You are a robot.' }] });
    const initial = session.contextUsage;
    const measured = await session.measureContextUsage([{ role: 'system', content: 'You are a robot.' }]);
    await session.append('My dog is called Bello.');
    const appended = session.contextUsage;
    await session.prompt('Hello');
    const copy = await session.clone();
    const before = session.contextUsage;
    await copy.prompt('Hello again');
    return {
      initial: initial > 0 && initial === measured,
      grows: initial < appended && appended < before,
      copyGoesOnAlone: copy.contextUsage > before && session.contextUsage === before,
    };
  },
  async constraint() {
    const session = await create();
    const schema = {
      type: 'object',
      properties: { Rating: { type: 'integer', minimum: 0, maximum: 5 } },
      required: ['Rating'],
    };
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const rating = JSON.parse(await session.prompt('Rate this.', { responseConstraint: schema })) as { Rating: number };
    return {
      inRange: rating.Rating >= 0 && rating.Rating <= 5,
      choice: /^(yes|no)$/.test(await session.prompt('Is it warm?', { responseConstraint: /yes|no/ })),
      flags: await nameOf(session.prompt('a', { responseConstraint: /a/i })),
      omitted: await nameOf(session.prompt('a', { omitResponseConstraintInput: true })),
      circular: await nameOf(session.prompt('a', { responseConstraint: circular })),
      unknown: await nameOf(session.prompt('a', { responseConstraint: { type: 'nonsense' } })),
    };
  },
  async progress() {
    const loaded: number[] = [];
    let created = false;
    await create({
      monitor: (monitor) =>
        monitor.addEventListener('downloadprogress', (event) => {
          if (!created) loaded.push((event as unknown as ProgressEvent).loaded);
        }),
    });
    created = true;
    const failing = nameOf(
      create({
        monitor: () => {
          throw new RangeError('monitor');
        },
      }),
    );
    return { first: loaded[0], last: loaded.at(-1), failing: await failing };
  },
  async abort() {
    const session = await create();
    const controller = new AbortController();
    const prompt = nameOf(session.prompt(QUESTION, { signal: controller.signal }));
    const stream = nameOf(read(session.promptStreaming(QUESTION, { signal: controller.signal })));
    const copy = nameOf(session.clone({ signal: controller.signal }));
    controller.abort('left');
    const late = [
      session.prompt(QUESTION, { signal: controller.signal }),
      session.append(QUESTION, { signal: controller.signal }),
      session.measureContextUsage(QUESTION, { signal: controller.signal }),
      session.clone({ signal: controller.signal }),
      create({ signal: controller.signal }),
    ].map(nameOf);
    let thrown: unknown = null;
    try {
      session.promptStreaming(QUESTION, { signal: controller.signal });
    } catch (reason) {
      thrown = reason;
    }
    const results = [await prompt, await stream, await copy, ...(await Promise.all(late)), thrown];
    return {
      reasons: [...new Set(results)],
      usage: session.contextUsage,
      next: /\w/.test(await session.prompt(QUESTION)),
    };
  },
  async 'abort while creating'() {
    const during = async (loaded: number) => {
      const controller = new AbortController();
      const options: CreateOptions = {
        signal: controller.signal,
        monitor: (monitor) =>
          monitor.addEventListener('downloadprogress', (event) => {
            if ((event as unknown as ProgressEvent).loaded === loaded) controller.abort('stopped');
          }),
      };
      return nameOf(create(options));
    };
    const controller = new AbortController();
    const session = await create({ signal: controller.signal });
    controller.abort('later');
    return [await during(0), await during(1), await nameOf(session.prompt(QUESTION))];
  },
  async destroy() {
    const session = await create();
    const running = nameOf(session.prompt(QUESTION));
    session.destroy();
    return [
      await running,
      await nameOf(session.prompt(QUESTION)),
      typeof session.contextUsage,
      typeof session.contextWindow,
    ];
  },
  async order() {
    const session = await create();
    const [first, second] = await Promise.all([session.prompt('Hello'), session.prompt(QUESTION)]);
    const apart = await create();
    return [(await apart.prompt('Hello')) === first, (await apart.prompt(QUESTION)) === second];
  },
  async overflow() {
    const session = await create();
    const events: string[] = [];
    session.addEventListener('contextoverflow', () => events.push('contextoverflow'));
    session.onquotaoverflow = () => events.push('quotaoverflow');
    const long = 'The dog sat on the mat. '.repeat(Math.floor(session.contextWindow / 16));
    for (let turn = 0; turn < 4 && events.length === 0; turn++) await session.append(long);
    const error: unknown = await session.prompt(long.repeat(20)).catch((thrown: unknown) => thrown);
    const { name, requested, quota } = error as { name: string; requested: number; quota: number };
    const { QuotaExceededError = DOMException } = globalThis as { QuotaExceededError?: new () => Error };
    const initial = await nameOf(create({ initialPrompts: [{ role: 'user', content: long.repeat(20) }] }));
    const measured = await session.measureContextUsage(long.repeat(20));
    const isExact = Number.isFinite(requested) && requested === measured && quota === session.contextWindow;
    return { events, name, isOwnClass: error instanceof QuotaExceededError, quota: isExact, initial };
  },
  async install() {
    const scope = globalThis as { LanguageModel?: unknown };
    const own = scope.LanguageModel;
    const first = installLanguageModel(tabserve);
    const kept = installLanguageModel(tabserve) === first;
    const replaced = installLanguageModel(tabserve, { replace: true });
    const isGlobal = scope.LanguageModel === replaced;
    if (own === undefined) delete scope.LanguageModel;
    else scope.LanguageModel = own;
    return { kept, replaced: replaced !== first && isGlobal };
  },
  'an empty list': prompting([]),
  'an object': prompting({}),
  'an unknown role': prompting([{ role: 'tool', content: 'a' }]),
  'an unknown type': prompting([{ role: 'user', content: [{ type: 'smell', value: 'a' }] }]),
  'an image that is not expected': prompting([{ role: 'user', content: [{ type: 'image', value: new Blob() }] }]),
  'audio that is not expected': prompting([{ role: 'user', content: [{ type: 'audio', value: new Blob() }] }]),
  'an image of the assistant': prompting([{ role: 'assistant', content: [{ type: 'image', value: new Blob() }] }]),
  'a text that is not a string': prompting([{ role: 'user', content: [{ type: 'text', value: 7 }] }]),
  'a prefix of the user': prompting([{ role: 'user', content: 'a', prefix: true }]),
  'a prefix of the assistant': prompting([
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b', prefix: true },
  ]),
  'a system message after initial prompts': prompting([{ role: 'system', content: 'a' }], {
    initialPrompts: [{ role: 'user', content: 'b' }],
  }),
  'a late system message': prompting([
    { role: 'user', content: 'a' },
    { role: 'system', content: 'b' },
  ]),
  'images for a model that accepts none': async () => nameOf(create({ expectedInputs: [{ type: 'image' }] })),
  'audio, which no model accepts': async () => nameOf(create({ expectedInputs: [{ type: 'audio' }] })),
  'an unknown sampling mode': async () => nameOf(create({ samplingMode: 'wild' as 'creative' })),
} as const satisfies Record<string, () => Promise<unknown>>;
