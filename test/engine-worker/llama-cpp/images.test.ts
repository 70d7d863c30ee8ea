import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLlamaCppEngine } from '../../../src/engine-worker/llama-cpp/create-llama-cpp-engine.ts';
import type { WllamaModule } from '../../../src/engine-worker/llama-cpp/llama-cpp-runtime.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import type { Engine } from '../../../src/shared/engine/engine.ts';
import { readSiteModels } from '../../../src/shared/models/site-models.ts';
import { withTimeout } from '../../../src/shared/timeout.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { fakePageWorker, type FakePageWorker } from '../../support/fakes/page-worker.ts';
import { ggufFile } from '../../support/samples/gguf-file.ts';
import { tinyMmproj } from '../../support/samples/tiny-vision-model.ts';

const MODEL = readSiteModels(
  { models: [{ id: 'sees', gguf: 'a.gguf', mmproj: 'b.gguf', parallel: 1 }], builtInModels: [] },
  'https://site.test/',
).entries[0]!;

let loaded: Record<string, unknown>[];
let asked: { messages: readonly unknown[]; return_progress: boolean }[];
let workers: FakePageWorker[];
/** What llama.cpp writes to its log before it fails. */
let complaints: readonly string[];
let load: () => Promise<void>;
let hasEncoder: boolean;
/** Whether llama.cpp works on an image for ever. */
let isBusy: boolean;

class FakeWllama {
  readonly #log: (text: string) => void;

  constructor(_: unknown, { logger }: { logger: { error: (text: string) => void } }) {
    this.#log = logger.error;
  }
  setCompat(): void {}
  isTokenEOG(): boolean {
    return false;
  }
  getChatTemplate(): string {
    return '';
  }
  supportInputModality(): boolean {
    return hasEncoder;
  }
  async loadModel(_: unknown, parameters: Record<string, unknown>): Promise<void> {
    loaded.push(parameters);
    for (const line of complaints) this.#log(line);
    await load();
  }
  /** Continues to count, so that the graphics device counts as correct. */
  async createCompletion(): Promise<unknown> {
    return { choices: [{ text: ' 13' }] };
  }
  async createChatCompletion(options: (typeof asked)[number]): Promise<AsyncIterable<unknown>> {
    asked.push(options);
    return (async function* () {
      if (isBusy) await new Promise(() => {});
      yield { choices: [{ delta: { content: 'Red.' }, finish_reason: 'stop' }] };
    })();
  }
}

beforeEach(() => {
  [loaded, asked, workers, complaints] = [[], [], [], []];
  load = async () => {};
  hasEncoder = true;
  isBusy = false;
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

async function started({
  entry = MODEL,
  kind = 'mlp' as 'mlp' | 'gemma3',
  gpu = null as string | null,
} = {}): Promise<Engine> {
  const engine = createLlamaCppEngine({
    folder: () => 'https://site.test/llama-cpp/',
    openFiles: async () => [new Blob([ggufFile()]), tinyMmproj({ kind })],
    keepFiles: async () => {},
    importWllama: async () => ({ Wllama: FakeWllama }) as unknown as WllamaModule,
    startWorker: async () => {
      const worker = fakePageWorker({ gpu });
      workers.push(worker);
      return worker;
    },
  });
  await engine.load(entry, () => {}, new AbortController().signal);
  return engine;
}

const address = (text: string) => `data:image/png;base64,${btoa(text)}`;

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
  ['an encoder without a message', [], /mmproj \(refused\)/],
])('%s fails the load with a sentence', async (_, lines, sentence) => {
  complaints = lines;
  load = () => Promise.reject(new Error('refused'));
  await expect(started()).rejects.toMatchObject({ code: 'model_load_failed', message: sentence });
});

test('an encoder that ends llama.cpp while it is loaded fails the load for good', async () => {
  load = async () => {
    workers[0]!.send({ verb: 'signal.abort', args: ['abort', 'GGML_ASSERT(n_embd > 0) failed', '', null] });
    await new Promise(() => {});
  };
  await expect(started()).rejects.toMatchObject({
    code: 'model_load_failed',
    message: expect.stringContaining('GGML_ASSERT'),
  });
});

test('a file from which llama.cpp takes no image encoder fails the load', async () => {
  hasEncoder = false;
  await expect(started()).rejects.toMatchObject({ code: 'model_load_failed', message: /has no image encoder/ });
});

test.each([
  [1, true],
  [2, false],
])(
  'an abort while an image is encoded ends the worker after two seconds, unless it answers others (%i)',
  async (parallel, ends) => {
    const engine = await started({ entry: { ...MODEL, parallel } });
    isBusy = true;
    const controller = new AbortController();
    const answer = generate(engine, request(address('image A')), controller.signal).catch((thrown: unknown) => thrown);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    vi.useFakeTimers();
    controller.abort(new Error('stopped'));
    await vi.advanceTimersByTimeAsync(1900);
    expect(workers[0]!.lost.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(workers[0]!.lost.aborted).toBe(ends);
    vi.useRealTimers();
    expect(await withTimeout(0, answer, 'pending')).toEqual(ends ? new Error('stopped') : 'pending');
    expect(engine.loadedModel).toBe(ends ? null : 'sees');
  },
);
