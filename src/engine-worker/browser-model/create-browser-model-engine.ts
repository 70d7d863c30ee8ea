import { ApiError } from '../../shared/api-error.ts';
import type { GenerationEvent } from '../../shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { contextLengthExceeded } from '../../shared/engine/engine-errors.ts';
import type { Engine, LoadingProgress } from '../../shared/engine/engine.ts';
import type { BrowserModelReply, BrowserModelRequest } from '../../shared/messaging/browser-model-messages.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { ModelKind } from '../../shared/models/model-kind.ts';
import { withAbort } from '../../shared/timeout.ts';
import { LoopDetector } from '../answer/loop-detector.ts';
import { answerKind } from '../answer/answer-kind.ts';
import { validateAnswers } from '../grammar/validate-answers.ts';
import { runInPage, type PageTask, type PostToPage } from '../ports/run-in-page.ts';
import { say } from '../strings/say.ts';
import { refuseBeyondBrowserModel, toBrowserPrompt } from './to-browser-prompt.ts';

export interface BrowserModelEngineOptions {
  /** The connected pages, in the order in which they are asked to use the model. */
  readonly pages: () => Promise<readonly PostToPage[]>;
  /** Called with the context window that the browser reports, in tokens. */
  readonly onWindow: (tokens: number) => void;
}

interface LoadedModel {
  readonly entry: ModelEntry;
  readonly task: PageTask<{ readonly type: 'started' }>;
}

/** A message to the page without its id, which is added when it is sent. */
type Asked = Pick<Extract<BrowserModelRequest, { type: 'load' }>, 'type'> | ReturnType<typeof toBrowserPrompt>;

/**
 * Creates the engine for the browser's own model. The model's API (`LanguageModel`) exists in windows only, so a page
 * calls it for this engine. If that page is closed, the next request uses another page.
 */
export function createBrowserModelEngine(options: BrowserModelEngineOptions): Engine {
  return new BrowserModelEngine(options);
}

class BrowserModelEngine implements Engine {
  readonly place = 'browser';
  readonly #options: BrowserModelEngineOptions;
  #model: LoadedModel | null = null;
  #requests = 0;

  constructor(options: BrowserModelEngineOptions) {
    this.#options = options;
  }

  get loadedModel(): string | null {
    return this.#model === null || this.#model.task.lost.aborted ? null : this.#model.entry.id;
  }

  async load(entry: ModelEntry, report: (progress: LoadingProgress) => void, signal: AbortSignal): Promise<void> {
    await this.unload();
    const task = await runInPage<{ readonly type: 'started' }>(
      await this.#options.pages(),
      { type: 'serve-browser-model' },
      {
        noPage: say('browserModelWithoutPage'),
        silent: (seconds) => say('browserModelSilent', seconds),
        failed: (complaint) => say('browserModelFailed', complaint),
        lost: say('browserModelLost'),
      },
    );
    try {
      for await (const reply of this.#ask(task, { type: 'load' }, signal)) {
        if (reply.type === 'progress')
          report({ progress: reply.progress, ...say('openingBrowserModel', reply.progress) });
        else if (reply.type === 'error')
          throw new ApiError('model_load_failed', say('browserModelNotOpened', reply.message), { param: 'model' });
        else if (reply.type === 'loaded') {
          const { contextWindow } = reply;
          if (contextWindow !== entry.contextWindow) this.#options.onWindow(contextWindow);
          this.#model = { entry: { ...entry, contextWindow }, task };
        }
      }
    } catch (thrown) {
      task.end();
      throw thrown;
    }
    report({ progress: 1, ...say('modelReady') });
  }

  async unload(kind: ModelKind = 'chat'): Promise<void> {
    if (kind !== 'chat') return;
    this.#model?.task.end();
    this.#model = null;
  }

  generate(request: CompletionRequest, signal: AbortSignal): AsyncIterable<GenerationEvent> {
    return validateAnswers(
      this.#generate(request, signal),
      request,
      () =>
        new ApiError(
          'internal_error',
          "The answer of the browser's own model does not satisfy the schema of the request. Try again, or use another model.",
        ),
    );
  }

  async *#generate(request: CompletionRequest, signal: AbortSignal): AsyncGenerator<GenerationEvent, undefined> {
    signal.throwIfAborted();
    if (this.#model === null) throw new ApiError('model_not_loaded', 'No model is loaded.');
    const { entry, task } = this.#model;
    refuseBeyondBrowserModel(request, entry);
    yield { type: 'prefill' };
    const loops = answerKind(request).detectsLoops ? new LoopDetector() : null;
    const stuck = new AbortController();
    for await (const reply of this.#ask(task, toBrowserPrompt(request), signal, stuck.signal)) {
      if (reply.type === 'piece' && reply.text !== '') {
        if (stuck.signal.aborted) continue;
        yield { type: 'delta', choice: 0, content: reply.text };
        loops?.push(reply.text);
        if (loops?.found) stuck.abort();
      } else if (reply.type === 'error') throw generationError(reply, entry);
      else if (reply.type === 'done') {
        const { promptTokens, completionTokens } = reply;
        const reason = stuck.signal.aborted
          ? ({ reason: 'length', isStuck: true } as const)
          : ({ reason: 'stop' } as const);
        yield { type: 'finish', choice: 0, ...reason };
        yield { type: 'done', usage: { promptTokens, completionTokens, cachedTokens: 0, reasoningTokens: 0 } };
      }
    }
  }

  /**
   * Sends a request to the page and yields the replies, including the last. Returning early cancels the request.
   * @param finish Ends an answer early, when it aborts; the last reply then has the usage.
   * @throws ApiError if the page was closed; the signal's reason.
   */
  async *#ask(
    { port, lost }: LoadedModel['task'],
    asked: Asked,
    signal: AbortSignal,
    finish?: AbortSignal,
  ): AsyncGenerator<BrowserModelReply> {
    const id = ++this.#requests;
    const ended = new AbortController();
    const replies = new ReadableStream<BrowserModelReply>({
      start: (controller) =>
        port.addEventListener(
          'message',
          ({ data }: MessageEvent<BrowserModelReply>) => {
            if (data.id === id) controller.enqueue(data);
          },
          { signal: ended.signal },
        ),
    }).getReader();
    const post = (message: BrowserModelRequest) => port.postMessage(message);
    post({ ...asked, id });
    finish?.addEventListener('abort', () => post({ type: 'finish', id }), { signal: ended.signal });
    let isOver = false;
    try {
      while (!isOver) {
        const { value } = await withAbort(replies.read(), AbortSignal.any([lost, signal]));
        isOver = value === undefined || value.type === 'loaded' || value.type === 'done' || value.type === 'error';
        if (value) yield value;
      }
    } finally {
      ended.abort();
      if (!isOver) post({ type: 'cancel', id });
    }
  }

  requireTokenizer(): Promise<never> {
    return Promise.reject(noTokenizer());
  }

  tokenize(): Promise<never> {
    return this.requireTokenizer();
  }

  detokenize(): never {
    throw noTokenizer();
  }
}

function generationError(
  { name, message, requested }: Extract<BrowserModelReply, { type: 'error' }>,
  entry: ModelEntry,
): ApiError {
  if (name === 'QuotaExceededError')
    return contextLengthExceeded(entry, requested ?? `more than ${entry.contextWindow}`);
  if (name === 'NotSupportedError')
    return new ApiError('unsupported_value', `The browser's own model refuses this request: ${message}`);
  return new ApiError('internal_error', say('browserModelFailed', message));
}

function noTokenizer(): ApiError {
  return new ApiError(
    'unsupported_value',
    "`model`: the browser's own model does not show its tokens. `usage` of an answer has the number of its prompt.",
    { param: 'model' },
  );
}
