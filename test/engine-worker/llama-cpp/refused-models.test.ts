import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLlamaCppEngine } from '../../../src/engine-worker/llama-cpp/create-llama-cpp-engine.ts';
import type { WllamaModule } from '../../../src/shared/models/create-wllama.ts';
import { readSiteModels } from '../../../src/shared/models/site-models.ts';
import { memoryGpuChecks } from '../../support/fakes/memory-gpu-checks.ts';
import { fakePageWorker, type FakePageWorker } from '../../support/fakes/page-worker.ts';
import { BareWllama } from '../../support/fakes/bare-wllama.ts';
import { ggufFile } from '../../support/samples/gguf-file.ts';

const SITE = 'https://site.test/';
const MODEL = readSiteModels({ models: [{ id: 'small', gguf: 'small.gguf' }], builtInModels: [] }, SITE).entries[0]!;

type Level = 'debug' | 'log' | 'error';
type Logger = Readonly<Record<Level, (text: string) => void>>;

/** Lines that llama.cpp printed for files with one fault each (wllama 3.13), and the sentence that names it. */
const PRINTED: Readonly<Record<string, readonly [lines: readonly (readonly [Level, string])[], sentence: string]>> = {
  'a template whose syntax is wrong': [
    [
      ['log', 'ggml_webgpu: Failed to get an adapter: WebGPU not available on this browser'],
      ['error', 'common_chat_templates_init: error: parser: Parser Error: Expected }} (Got ])'],
      ['log', '...{{ m.role[0] ]...'],
      ['error', 'srv          init: init: chat template parsing error: std::exception'],
    ],
    'common_chat_templates_init: error: parser: Parser Error: Expected }} (Got ])',
  ],
  'a template that always fails': [
    [
      ['debug', 'slot get_availabl: id  0'],
      ['error', 'srv          init: init: chat template parsing error: Unable to generate parser for this template.'],
      ['log', '------------'],
      ['log', 'While executing FilterExpression at line 1, column 56 in source:'],
      ['log', '...{{ m.content | nosuch }}...'],
      ['log', "Error: Unknown (built-in) filter 'nosuch' for type String"],
      ['error', 'srv          init: init: for example: --no-jinja --chat-template chatml'],
    ],
    "chat template: Unknown (built-in) filter 'nosuch' for type String",
  ],
  'a missing tensor': [
    [
      ['error', "llama_model_load: error loading model: check_tensor_dims: tensor 'output.weight' not found"],
      ['error', 'llama_model_load_from_file_impl: failed to load model'],
    ],
    "llama_model_load: error loading model: check_tensor_dims: tensor 'output.weight' not found",
  ],
};

let workers: FakePageWorker[];
let load: (logger: Logger) => Promise<void>;
let success: boolean;
let file: ReturnType<typeof ggufFile>;

class FakeWllama extends BareWllama {
  readonly #logger: Logger;
  constructor(_: unknown, { logger }: { readonly logger: Logger }) {
    super();
    this.#logger = logger;
  }
  override getLoadedContextInfo(): object {
    return { success };
  }
  override async loadModel(): Promise<void> {
    await load(this.#logger);
  }
}

beforeEach(() => {
  vi.stubGlobal('Worker', undefined);
  vi.stubGlobal('navigator', { userAgent: 'Chrome/156' });
  workers = [];
  success = true;
  file = ggufFile();
  load = async () => {};
});

afterEach(() => vi.unstubAllGlobals());

function engine() {
  return createLlamaCppEngine({
    folder: () => `${SITE}llama-cpp/`,
    isCompat: false,
    openFiles: async () => [new Blob([file])],
    keepFiles: async () => {},
    gpuChecks: memoryGpuChecks(),
    importWllama: async () => ({ Wllama: FakeWllama }) as unknown as WllamaModule,
    startWorker: async () => {
      workers.push(fakePageWorker());
      return workers.at(-1)!;
    },
  });
}

const start = (of = engine()) => of.load(MODEL, () => {}, new AbortController().signal);

for (const [fault, [lines, sentence]] of Object.entries(PRINTED)) {
  for (const way of ['returns without a model', 'throws']) {
    test(`a load fails with llama.cpp's own sentence about ${fault}, if llama.cpp ${way}`, async () => {
      success = false;
      load = async (logger) => {
        for (const [level, line] of lines) logger[level](line);
        if (way === 'throws') throw lines.map(([, line]) => line).join('\n');
      };
      await expect(start()).rejects.toMatchObject({
        code: 'model_load_failed',
        message: `llama.cpp could not load the model (${sentence}). Check the file, or choose another model.`,
      });
      expect(workers.map(({ lost }) => lost.aborted)).toEqual([true]);
    });
  }
}

test('files that were deleted while llama.cpp read them are named as such, and are read again by the next load', async () => {
  const gone = new DOMException('A requested file could not be found.', 'NotFoundError');
  load = async () => {
    vi.spyOn(Blob.prototype, 'arrayBuffer').mockRejectedValue(gone);
    throw new Error('it is no GGUF file');
  };
  const asked = engine();
  await expect(start(asked)).rejects.toMatchObject({
    code: 'model_load_failed',
    message: 'small can no longer be read from your disk. Its copy on this device was deleted: load the model again.',
  });
  vi.restoreAllMocks();
  load = async () => {};
  await expect(start(asked)).resolves.toBeUndefined();
});

/** Ends llama.cpp as `abort()` does: its message is empty, and the assertion was printed before. */
const ASSERTION = '/source/llama.cpp/ggml/src/ggml.c:7: GGML_ASSERT(type < 40) failed';
const abort = () => workers.at(-1)!.send({ verb: 'signal.abort', args: ['abort', '', 'stack', null] });

test('a file at which llama.cpp ends itself fails the load with the assertion, and is not to be tried again', async () => {
  load = async (logger) => {
    logger.log(ASSERTION);
    abort();
    await new Promise(() => {});
  };
  await expect(start()).rejects.toMatchObject({
    code: 'model_load_failed',
    message: expect.stringContaining(`(${ASSERTION})`),
  });
});

test.each([
  ['its own assertion', [ASSERTION], ASSERTION],
  ['no message, if there is none', [], 'it gave no reason'],
])('a crash after the load is explained by %s, and not by a message of the load', async (_, lines, reason) => {
  let logged: Logger;
  load = async (logger) => {
    logged = logger;
    logger.error('llama_model_load: a warning of the load');
  };
  const loaded = engine();
  await start(loaded);
  for (const line of lines) logged!.log(line);
  abort();
  await vi.waitFor(() => expect(loaded.loadedModel).toBeNull());
  const asked = loaded.generate({ raw: null, messages: [], embed: null } as never, new AbortController().signal);
  await expect(asked[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'engine_unavailable',
    retryAfter: 1,
    message: expect.stringContaining(`(${reason})`),
  });
});

test('files that llama.cpp has refused are not loaded again, until they or their context window change', async () => {
  const loads: string[] = [];
  load = async (logger) => {
    loads.push('load');
    logger.error('llama_model_load: error loading model: unknown model architecture');
    throw new Error('refused');
  };
  const one = engine();
  for (let time = 0; time < 3; time++) await expect(start(one)).rejects.toMatchObject({ code: 'model_load_failed' });
  expect(loads).toHaveLength(1);
  await expect(one.load({ ...MODEL, contextWindow: 512 }, () => {}, AbortSignal.any([]))).rejects.toThrow(
    'architecture',
  );
  expect(loads).toHaveLength(2);
  file = ggufFile({ 'general.name': 'Repaired' });
  load = async () => {};
  await start(one);
  expect(one.loadedModel).toBe('small');
});

test('a model for which memory was short is tried again', async () => {
  load = async (logger) => {
    logger.error('ggml_aligned_malloc: insufficient memory (attempted to allocate 900.00 MB)');
    throw new Error('refused');
  };
  const one = engine();
  await expect(start(one)).rejects.toMatchObject({ code: 'model_load_failed' });
  load = async () => {};
  await start(one);
  expect(one.loadedModel).toBe('small');
});
