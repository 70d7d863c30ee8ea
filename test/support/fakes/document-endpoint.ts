import { CompletionLog } from '../../../src/engine-worker/completions/completion-log.ts';
import type { Completion } from '../../../src/engine-worker/completions/completion.ts';
import { createDocuments } from '../../../src/engine-worker/documents/documents.ts';
import type { ReadDocument } from '../../../src/engine-worker/documents/reading/document-reader.ts';
import { handleCall } from '../../../src/engine-worker/ports/call-handlers.ts';
import type { ApiError } from '../../../src/shared/api-error.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import type { AppDependencies } from '../../../src/service-worker/create-app.ts';
import type { CallEngine } from '../../../src/shared/engine/engine.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import { createTestApp, MODELS, type TestApp } from '../../service-worker/support/test-app.ts';
import { MemoryDocuments } from './memory-documents.ts';
import { MortalDocuments } from './mortal-documents.ts';
import { readInProcess } from './read-in-process.ts';
import { MemoryLocks } from './web-locks.ts';

const SITE = 'https://site.test/';

const DIMENSIONS = 64;

/** A model whose vectors count the words of a text, so that texts with the same words are similar. */
export const WORD_MODEL: ModelEntry = { ...MODELS[0]!, id: 'words', embedding: { dimensions: DIMENSIONS } };

/** Computes a vector of a text that has a place for each word, and normalises it. */
function wordVector(text: string): Float32Array<ArrayBuffer> {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const place = [...word].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 7919, 7) % DIMENSIONS;
    vector[place]! += 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** The embeddings of an engine, which a test can make fail or wait. */
class WordCompletions {
  /** The number of texts of each request. */
  readonly requests: number[] = [];
  /** Thrown by the next requests. */
  readonly failures: ApiError[] = [];
  /** Called for each request. */
  onRequest: () => void = () => {};
  /** Whether it computes other vectors, as another model of the same name does. */
  isOther = false;
  /** Each request waits for this. */
  gate: Promise<void> = Promise.resolve();

  start(request: CompletionRequest): Completion {
    const log = new CompletionLog();
    const inputs = (request.embed?.inputs ?? []) as readonly string[];
    this.requests.push(inputs.length);
    this.onRequest();
    void this.#answer(log, inputs, this.failures.shift());
    return { log } as Completion;
  }

  async #answer(log: CompletionLog, inputs: readonly string[], failure: ApiError | undefined): Promise<void> {
    await this.gate;
    if (failure !== undefined) log.append({ type: 'error', error: failure.toData() });
    for (const [choice, input] of inputs.entries()) {
      const embedding = wordVector(
        this.isOther ? `other ${input.toUpperCase().replace(/[A-Z]/g, (letter) => letter + letter)}` : input,
      );
      log.append({ type: 'delta', choice, embedding });
    }
    const usage = { promptTokens: 1, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
    log.append({ type: 'done', usage });
  }
}

/** The endpoint with an engine's documents, in one process. What is stored outlives {@link restartEngine}. */
export class DocumentEndpoint {
  readonly stored = new MemoryDocuments();
  /** The access of the engine that lives now. */
  storage = new MortalDocuments(this.stored);
  /** Replaced if an engine ends without releasing its locks, which the browser does then. */
  locks = new MemoryLocks();
  readonly completions = new WordCompletions();
  /** Reads documents that are no plain text. */
  readDocument: ReadDocument = readInProcess;
  /** The models of the engine. */
  models: readonly ModelEntry[] = [...MODELS, WORD_MODEL];
  readonly app: TestApp;
  readonly #leastOfBundle: number | undefined;
  #documents: ReturnType<typeof createDocuments>;

  /**
   * @param overrides Other parts of the app.
   * @param leastOfBundle The fewest files of a bundle. Default: as in a browser.
   */
  constructor(overrides: Partial<AppDependencies> = {}, leastOfBundle?: number) {
    this.#leastOfBundle = leastOfBundle;
    this.#documents = this.#start();
    const { callEngine } = this;
    const models = async () => this.models;
    this.app = createTestApp({ callEngine, models, settings: { maxFileBytes: 400_000 }, ...overrides });
  }

  /** Calls the engine. Messages between contexts copy their content. */
  readonly callEngine: CallEngine = async (name, parameters) =>
    structuredClone(await handleCall(this.#documents.handlers, name, structuredClone(parameters), SITE));

  /**
   * Replaces the engine. What the former one has begun is not continued before this.
   * @param lastStep The access to what is stored with which the new engine ends. Default: it lives.
   */
  async restartEngine(lastStep = Infinity): Promise<void> {
    this.#documents = this.#start();
    this.storage.lastStep = lastStep;
    await Promise.race([this.#documents.resume(), this.storage.died]);
  }

  /** Sends a JSON request. */
  async json<Result = Record<string, never>>(
    method: string,
    path: string,
    body?: object,
    key = 'local',
  ): Promise<Result> {
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await this.app.send(path, { method, ...init, headers: { authorization: `Bearer ${key}` } });
    return { ...((await response.json()) as object), httpStatus: response.status } as Result;
  }

  /** Uploads a text and returns the response. */
  upload(
    content: BlobPart,
    name = 'notes.txt',
    fields: Readonly<Record<string, string>> = {},
    key = 'local',
  ): Promise<Response> {
    const body = new FormData();
    for (const [field, value] of Object.entries({ purpose: 'assistants', ...fields })) body.set(field, value);
    body.set('file', new File([content], name));
    const request = new Request('https://tabserve.test/v1/files', { method: 'POST', body });
    request.headers.set('authorization', `Bearer ${key}`);
    return this.app.fetch(request);
  }

  /** Uploads a text and returns the id of the file. */
  async uploaded(content: BlobPart, name?: string): Promise<string> {
    return ((await (await this.upload(content, name)).json()) as { id: string }).id;
  }

  /** Creates a store of files with these texts, and waits until they are indexed. */
  async filled(texts: Readonly<Record<string, string>>): Promise<{ store: string; files: string[] }> {
    const files: string[] = [];
    for (const [name, text] of Object.entries(texts)) files.push(await this.uploaded(text, name));
    const { id } = await this.json<{ id: string }>('POST', '/vector_stores', { file_ids: files });
    await this.indexed(id);
    return { store: id, files };
  }

  /** Waits until no file of a store waits to be indexed. */
  async indexed(store: string): Promise<void> {
    for (;;) {
      const { status } = await this.json<{ status: string }>('GET', `/vector_stores/${store}`);
      if (status !== 'in_progress') return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #start(): ReturnType<typeof createDocuments> {
    this.storage = new MortalDocuments(this.stored);
    return createDocuments({
      completions: this.completions,
      findModel: async (id) => this.models.find((model) => model.id === id) ?? null,
      records: this.storage,
      blobs: this.storage.blobs,
      locks: this.locks as unknown as LockManager,
      exist: async () => true,
      readDocument: (...document) => this.readDocument(...document),
      retryDelay: 0,
      ...(this.#leastOfBundle !== undefined && { leastOfBundle: this.#leastOfBundle }),
    });
  }
}
