import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLlamaCppEngine } from '../../../src/engine-worker/llama-cpp/create-llama-cpp-engine.ts';
import type { WllamaModule } from '../../../src/shared/models/create-wllama.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import type { Engine } from '../../../src/shared/engine/engine.ts';
import { readSiteModels } from '../../../src/shared/models/site-models.ts';
import { withTimeout } from '../../../src/shared/timeout.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { memoryGpuChecks } from '../../support/fakes/memory-gpu-checks.ts';
import { fakePageWorker, type FakePageWorker } from '../../support/fakes/page-worker.ts';
import { ggufFile } from '../../support/samples/gguf-file.ts';
import { BareWllama } from '../../support/fakes/bare-wllama.ts';
import { tinyMmproj } from '../../support/samples/tiny-vision-model.ts';

const MODEL = readSiteModels(
  { models: [{ id: 'sees', gguf: 'a.gguf', mmproj: 'b.gguf' }], builtInModels: [] },
  'https://site.test/',
).entries[0]!;

let loaded: Record<string, unknown>[];
let asked: { messages: readonly unknown[]; return_progress: boolean }[];
let workers: FakePageWorker[];
/** What llama.cpp writes to its log before it fails. */
let complaints: readonly string[];
let load: () => Promise<void>;
let hasEncoder: boolean;
let template: string | null;
/** Whether llama.cpp works on an image for ever. */
let isBusy: boolean;
/** Whether it has reported the length of the prompt before. */
let hasReported: boolean;
/** Whether llama.cpp never goes on after the first token of an answer. */
let isBusyAfterToken: boolean;

class FakeWllama extends BareWllama {
  readonly #log: (text: string) => void;

  constructor(_: unknown, { logger }: { logger: { error: (text: string) => void } }) {
    super();
    this.#log = logger.error;
  }
  supportInputModality(): boolean {
    return hasEncoder;
  }
  override getChatTemplate(): string | null {
    return template;
  }
  override async loadModel(_: unknown, parameters: Record<string, unknown>): Promise<void> {
    loaded.push(parameters);
    for (const line of complaints) this.#log(line);
    await load();
  }
  /** Continues to count, so that the graphics device counts as correct. */
  async createCompletion(options: (typeof asked)[number] & { readonly stream?: boolean }): Promise<unknown> {
    return options.stream ? this.createChatCompletion(options) : { choices: [{ text: ' 13' }] };
  }
  async createChatCompletion(options: (typeof asked)[number]): Promise<AsyncIterable<unknown>> {
    asked.push(options);
    return (async function* () {
      yield { choices: [{ delta: { role: 'assistant', content: null }, finish_reason: null }] };
      const prompt_progress = { total: 70, cache: 0, processed: 0 };
      if (hasReported) yield { choices: [{ delta: { content: null }, finish_reason: null }], prompt_progress };
      if (isBusy) await new Promise(() => {});
      if (isBusyAfterToken) yield { choices: [{ delta: { content: 'Blue.' }, finish_reason: null }] };
      if (isBusyAfterToken) await new Promise(() => {});
      yield { choices: [{ delta: { content: 'Red.' }, finish_reason: 'stop' }] };
    })();
  }
}

/** User and assistant alternate. */
const ALTERNATING = `{% for m in messages %}{% if m.role != ('user' if loop.index0 % 2 == 0 else 'assistant') %}{{ raise_exception('turns must alternate') }}{% endif %}{{ m.content }}{% endfor %}`;

/** The file of the language model. */
let modelFile: ReturnType<typeof ggufFile>;

beforeEach(() => {
  modelFile = ggufFile();
  [loaded, asked, workers, complaints] = [[], [], [], []];
  load = async () => {};
  hasEncoder = true;
  template = null;
  [isBusy, hasReported, isBusyAfterToken] = [false, false, false];
  vi.stubGlobal('Worker', undefined);
  // Node has no images: the "pixels" of one are the bytes of its file.
  vi.stubGlobal('createImageBitmap', async (file: Blob) => {
    const text = await file.text();
    if (!text.startsWith('image')) throw new DOMException('Not decodable.', 'InvalidStateError');
    return { text, width: 4000, height: 100, close: () => {} };
  });
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      drawn = '';
      readonly size: string;
      constructor(width: number, height: number) {
        this.size = `${width}×${height}`;
      }
      getContext() {
        return { fillRect: () => {}, drawImage: ({ text }: { text: string }) => (this.drawn = text) };
      }
      async convertToBlob() {
        return new Blob([`${this.drawn} ${this.size}`]);
      }
    },
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function start({ kind = 'mlp' as 'mlp' | 'gemma3', gpu = null as string | null } = {}): Engine {
  vi.stubGlobal('navigator', { userAgent: 'Chrome/156' });
  return createLlamaCppEngine({
    gpuChecks: memoryGpuChecks(),
    folder: () => 'https://site.test/llama-cpp/',
    isCompat: false,
    openFiles: async () => [new Blob([modelFile]), tinyMmproj({ kind })],
    keepFiles: async () => {},
    importWllama: async () => ({ Wllama: FakeWllama }) as unknown as WllamaModule,
    startWorker: async () => {
      const worker = fakePageWorker({ gpu });
      workers.push(worker);
      return worker;
    },
  });
}

function loadInto(engine: Engine): Promise<void> {
  return engine.load(MODEL, () => {}, new AbortController().signal);
}

async function started(options: Parameters<typeof start>[0] = {}): Promise<Engine> {
  const engine = start(options);
  await loadInto(engine);
  return engine;
}

const address = (text: string) => `data:image/png;base64,${btoa(text)}`;
const image = (name: string) => ({ type: 'image', url: address(`image ${name}`) }) as const;

/** A conversation with images before, between and after texts. */
const request = (...images: readonly string[]): CompletionRequest => ({
  ...completionRequest('', 'sees'),
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is' },
        ...images.map((url) => ({ type: 'image' as const, url })),
        { type: 'text', text: 'this?' },
      ],
    },
  ],
});

async function generate(
  engine: Engine,
  asked: CompletionRequest,
  signal = new AbortController().signal,
): Promise<void> {
  for await (const event of engine.generate(asked, signal)) void event;
}

test('llama.cpp gets the images of a turn, scaled down, and then its text', async () => {
  await generate(await started(), request(address('image A'), address('image B'), address('image A')));
  const [{ messages, return_progress }] = asked as [(typeof asked)[number]];
  const [{ content }] = messages as [{ content: { type: string; data?: ArrayBuffer; text?: string }[] }];
  expect(content.map(({ data, text }) => (data ? new TextDecoder().decode(data) : text))).toEqual([
    'image A 2048×51',
    'image B 2048×51',
    'image A 2048×51',
    'What is\nthis?',
  ]);
  expect(return_progress).toBe(true);
});

test('images of two turns that are joined stay beside their texts, as those among texts do', async () => {
  template = ALTERNATING;
  const messages = [
    { role: 'user', content: [image('A'), { type: 'text', text: 'one' }] },
    { role: 'user', content: [{ type: 'text', text: 'two' }, image('B'), { type: 'text', text: 'three' }, image('C')] },
  ] as const;
  await generate(await started(), { ...completionRequest('', 'sees'), messages });
  const [{ messages: sent }] = asked as [(typeof asked)[number]];
  const [{ content }] = sent as [{ content: { data?: ArrayBuffer; text?: string }[] }];
  expect(content.map(({ data, text }) => (data ? new TextDecoder().decode(data) : text))).toEqual([
    'image A 2048×51',
    'one\n\ntwo',
    'image B 2048×51',
    'three',
    'image C 2048×51',
  ]);
});

test('beside an image, tools are described as text, because llama.cpp renders the messages without them', async () => {
  const tools = [{ name: 'look', description: 'Looks.', parameters: null }];
  await generate(await started(), { ...request(address('image A')), tools });
  const [{ messages }] = asked as [(typeof asked)[number]];
  expect(messages).toMatchObject([
    { role: 'system', content: expect.stringContaining('"name":"look"') },
    { role: 'user', content: [{ type: 'image' }, { type: 'text', text: 'What is\nthis?' }] },
  ]);
});

test('an image that the browser cannot read is refused before llama.cpp is asked', async () => {
  await expect(generate(await started(), request(address('text')))).rejects.toMatchObject({
    code: 'invalid_value',
    param: 'messages',
    message: expect.stringContaining('PNG, JPEG or WebP'),
  });
  expect(asked).toEqual([]);
});

test('the processor encodes images even if the graphics device runs the model', async () => {
  await started({ gpu: 'a graphics card' });
  expect(loaded).toMatchObject([{ n_gpu_layers: 99_999, mmproj_offload: false }]);
});

test('an encoder whose images are evaluated in one step gets steps of 512 tokens on the processor', async () => {
  await started({ kind: 'gemma3' });
  expect(loaded).toMatchObject([{ n_batch: 512 }]);
});

test.each([
  [
    'an encoder of another model',
    ['mtmd_init_from_file: error: mismatch between text model (n_embd = 64) and mmproj (n_embd = 32)\n'],
    /belongs to another model/,
  ],
  ['a damaged encoder', ['clip_init: failed to load model: key not found'], /mmproj \(clip_init: failed/],
  [
    'an encoder in a file that cannot be read',
    ["srv load_model: failed to load multimodal model, 'b.gguf'"],
    /mmproj \(/,
  ],
  [
    'a damaged model with an encoder',
    [
      "llama_model_load: error loading model: missing tensor 'output_norm.weight'",
      'srv load_model: no memory is known for mmproj.gguf',
    ],
    /^llama.cpp could not load the model \(llama_model_load.*missing tensor/,
  ],
  ['a model with an encoder, without a message', [], /^llama.cpp could not load the model \(refused\)/],
])('%s fails the load with a sentence', async (_, lines, sentence) => {
  complaints = lines;
  load = () => Promise.reject(new Error('refused'));
  await expect(started()).rejects.toMatchObject({
    code: 'model_load_failed',
    message: expect.stringMatching(sentence),
  });
});

test('an encoder that is refused is not loaded a second time, and the graphics device stays in use', async () => {
  complaints = ['clip_init: failed to load model: key not found'];
  load = () => Promise.reject(new Error('refused'));
  const engine = start({ gpu: 'a graphics card' });
  await expect(loadInto(engine)).rejects.toMatchObject({ message: expect.stringContaining('clip_init') });
  expect(loaded).toHaveLength(1);
  expect(workers.map(({ lost }) => lost.aborted)).toEqual([true]);
  [complaints, load, modelFile] = [[], async () => {}, ggufFile({ 'general.name': 'Repaired' })];
  await loadInto(engine);
  expect(loaded).toMatchObject([{ n_gpu_layers: 99_999 }, { n_gpu_layers: 99_999 }]);
});

test('a model with an encoder that fails on the graphics device for its own reasons is loaded on the processor', async () => {
  load = () => (loaded.length === 1 ? Promise.reject(new Error('no device memory')) : Promise.resolve());
  await started({ gpu: 'a graphics card' });
  expect(loaded).toMatchObject([{ n_gpu_layers: 99_999 }, { n_gpu_layers: 0 }]);
});

/** Makes llama.cpp end itself with a message while it loads a model. */
function endWhileLoading(message: string): void {
  load = async () => {
    workers.at(-1)!.send({ verb: 'signal.abort', args: ['abort', message, '', null] });
    await new Promise(() => {});
  };
}

test.each([null, 'a graphics card'])(
  'an encoder that ends llama.cpp fails the load for good (GPU: %s)',
  async (gpu) => {
    endWhileLoading('/source/llama.cpp/tools/mtmd/mtmd.cpp:7: GGML_ASSERT(n_embd > 0) failed');
    await expect(started({ gpu })).rejects.toMatchObject({
      code: 'model_load_failed',
      message: expect.stringMatching(/mmproj .*GGML_ASSERT/),
    });
    expect(loaded).toHaveLength(1);
  },
);

test.each([
  ['model', null],
  ['mmproj', 'mmproj'],
])('a crash that names no part is of the file that was read last: %s', async (file, blamed) => {
  load = async () => {
    for (const name of ['mmproj', 'model', file])
      workers[0]!.send({ verb: 'fs.read_req', args: [`${name}.gguf`, 0, 8] });
    workers[0]!.send({ verb: 'signal.abort', args: ['exception', 'memory access out of bounds', '', null] });
    await new Promise(() => {});
  };
  const message =
    blamed === null ? /^llama.cpp could not load the model \(memory access/ : /named as mmproj \(memory access/;
  await expect(started()).rejects.toMatchObject({ message: expect.stringMatching(message) });
});

test('llama.cpp without memory for a model with an encoder is not blamed on the encoder', async () => {
  endWhileLoading('Aborted(OOM)');
  await expect(started()).rejects.toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringMatching(/^llama.cpp has stopped \(Aborted\(OOM\)\).*if memory is short/),
  });
});

test('a file from which llama.cpp takes no image encoder fails the load', async () => {
  hasEncoder = false;
  await expect(started()).rejects.toMatchObject({
    code: 'model_load_failed',
    message: expect.stringMatching(/has no image encoder/),
  });
});

/** Starts an answer on which llama.cpp works for ever, then replaces the clock. */
async function busyAnswer(engine: Engine, question: CompletionRequest) {
  isBusy = true;
  const controller = new AbortController();
  let prefills = 0;
  const ended = (async () => {
    for await (const { type } of engine.generate(question, controller.signal)) if (type === 'prefill') prefills++;
  })().catch((thrown: unknown) => thrown);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await vi.waitFor(() => expect(prefills).toBe(hasReported ? 3 : 1));
  return { controller, ended, countPrefills: () => prefills };
}

test.each([
  ['an image is encoded', 'mlp', null, request(address('image A')), true],
  ['a text is read in steps of 512 tokens on the processor', 'gemma3', null, completionRequest('Hi', 'sees'), true],
  ['a text is read in small steps', 'mlp', null, completionRequest('Hi', 'sees'), false],
  ['a text is read on the graphics device', 'gemma3', 'a card', completionRequest('Hi', 'sees'), false],
] as const)('an abort while %s ends the worker after two seconds, if the step is long', async (...parts) => {
  const [, kind, gpu, question, ends] = parts;
  const engine = await started({ kind, gpu });
  vi.useFakeTimers();
  const { controller, ended } = await busyAnswer(engine, question);
  controller.abort(new Error('stopped'));
  await vi.advanceTimersByTimeAsync(1900);
  expect(workers[0]!.lost.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(workers[0]!.lost.aborted).toBe(ends);
  vi.useRealTimers();
  expect(await withTimeout(0, ended, 'pending')).toEqual(ends ? new Error('stopped') : 'pending');
  expect(engine.loadedModel).toBe(ends ? null : 'sees');
});

test.each([false, true])(
  'while an image is encoded, each minute has an event, for 20 minutes at most (prompt reported before: %s)',
  async (isReported) => {
    hasReported = isReported;
    const engine = await started();
    vi.useFakeTimers();
    const { countPrefills } = await busyAnswer(engine, request(address('image A')));
    const before = countPrefills();
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    expect(countPrefills()).toBe(before + 5);
    await vi.advanceTimersByTimeAsync(55 * 60_000);
    expect(countPrefills()).toBe(before + 20);
  },
);

test('the events of a long encoding end with the worker', async () => {
  const engine = await started();
  vi.useFakeTimers();
  const { ended, countPrefills } = await busyAnswer(engine, request(address('image A')));
  workers[0]!.lose();
  expect(await ended).toMatchObject({ code: 'engine_unavailable' });
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect(countPrefills()).toBe(1);
});

test('a text that llama.cpp is silent about, and an answer after its first token, have no such events', async () => {
  const engine = await started();
  vi.useFakeTimers();
  const { countPrefills } = await busyAnswer(engine, completionRequest('Hi', 'sees'));
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect(countPrefills()).toBe(1);
  isBusy = false;
  asked = [];
  isBusyAfterToken = true;
  const events: string[] = [];
  void (async () => {
    for await (const { type } of engine.generate(request(address('image A')), new AbortController().signal))
      events.push(type);
  })();
  await vi.waitFor(() => expect(events).toContain('delta'));
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect(events).toEqual(['prefill', 'delta']);
});
