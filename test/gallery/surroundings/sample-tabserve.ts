import type { PageStatus, Tabserve } from '../../../src/page/index.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { DocumentCalls } from '../../../src/shared/documents/document-calls.ts';
import type { EngineCallName, EngineCalls } from '../../../src/shared/engine/engine-calls.ts';
import { SAMPLE_OFFER } from '../samples/models.ts';
import type { Surroundings } from '../specimen.ts';

/** The calls of a page. Those about documents are the service worker's. */
type PageCallName = Exclude<EngineCallName, keyof DocumentCalls>;
type Results = { readonly [Name in PageCallName]: () => Promise<EngineCalls[Name]['result']> };

/**
 * A {@link Tabserve} without workers: its status never changes, and its calls return the samples that were passed to
 * it.
 */
export class SampleTabserve extends EventTarget implements Tabserve {
  readonly ready: Promise<void>;
  readonly status: PageStatus;
  readonly basePath = '/v1';
  readonly updateAvailable = false;
  readonly fetch: typeof globalThis.fetch = (input, init) => fetch(input, init);
  readonly #results: Results;

  constructor(surroundings: Surroundings) {
    super();
    this.status = surroundings.status;
    this.ready = this.#refusal === null ? Promise.resolve() : Promise.reject(this.#refusal);
    this.ready.catch(() => {});
    this.#results = resultsIn(surroundings);
  }

  async call<Name extends EngineCallName>(name: Name): Promise<EngineCalls[Name]['result']> {
    if (this.#refusal !== null) throw this.#refusal;
    if (!Object.hasOwn(this.#results, name)) throw new Error(`No page calls ${name}.`);
    return this.#results[name as PageCallName]() as Promise<EngineCalls[Name]['result']>;
  }

  /** The error with which all calls fail; null if calls succeed. */
  get #refusal(): ApiError | null {
    return this.status.state === 'unsupported' ? new ApiError('gpu_unavailable', this.status.message) : null;
  }

  dispose(): void {}
  async retry(): Promise<void> {}
  async load(): Promise<void> {}
  async askForHub(): Promise<boolean> {
    return false;
  }
  async applyUpdate(): Promise<void> {}
}

const done = async () => null;

function resultsIn({ models, outsideRequests, storage }: Surroundings): Results {
  return {
    'models/list': async () =>
      models instanceof ApiError ? Promise.reject(models) : (models ?? new Promise(() => {})),
    'models/size': async () => 1.2e9,
    'models/storage': async () => ({ ...storage, modelBytes: storage.usedBytes * 0.9 }),
    'models/outside-requests': async () => outsideRequests,
    'streams/known': async () => true,
    'models/files': async () => Promise.reject(new Error('No screen of the chat page asks for files.')),
    'models/download': done,
    'models/pause': done,
    'models/cancel': done,
    'models/delete': done,
    'models/inspect-gguf': async () => SAMPLE_OFFER,
    'models/set-context-window': done,
    'models/set-parallel': done,
    'models/set-keep-alive': done,
    'models/add-custom': done,
    'models/load': done,
    'models/preload': done,
    'models/unload': done,
    'models/tokenize': async () => ({ tokens: Array.from({ length: 812 }, () => 1), pieces: null }),
    'models/detokenize': async () => '',
    'hub/admit': done,
    'hub/sites': async () => [],
    'hub/change-site': done,
  };
}
