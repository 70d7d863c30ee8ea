// The source of the function below runs in pages, where it has no outer scope.
/* oxlint-disable unicorn/consistent-function-scoping */

/** The input of a session that {@link createBrowserLanguageModel} has created. */
export interface BrowserCall {
  readonly initialPrompts: readonly object[] | undefined;
  readonly prompt: readonly object[];
  readonly constraint: unknown;
}

/**
 * Creates a fake of the browser's `LanguageModel`, because the tested browsers have no model of their own. It answers
 * with the words of the prompt, and endlessly if the prompt contains "endless". It looks like a native function. It
 * runs in Node and, as source text, in pages.
 */
export function createBrowserLanguageModel(
  { availability = 'available', contextWindow = 60, answer = '' as string | readonly string[] } = {},
  calls: BrowserCall[] = [],
) {
  const words = (messages: readonly object[] = []) =>
    messages.flatMap((message) => ('content' in message ? String(message.content).split(' ') : []));
  class QuotaExceeded extends Error {
    override readonly name = 'QuotaExceededError';
    readonly requested: number;
    constructor(requested: number) {
      super('The prompt is too long.');
      this.requested = requested;
    }
  }
  const state = { sessions: 0, asked: 0 };
  const create = async ({ initialPrompts, monitor, signal }: CreateOptions = {}) => {
    signal?.throwIfAborted();
    const target = new EventTarget();
    monitor?.(target);
    for (const loaded of [0.5, 1]) target.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded }));
    if (availability === 'downloadable') throw new DOMException('A click is missing.', 'NotAllowedError');
    let contextUsage = words(initialPrompts).length;
    if (contextUsage > contextWindow) throw new QuotaExceeded(contextUsage);
    state.sessions++;
    return {
      contextWindow,
      get contextUsage() {
        return contextUsage;
      },
      async measureContextUsage(prompt: readonly object[]) {
        return words(prompt).length;
      },
      promptStreaming(prompt: readonly object[], options: { responseConstraint?: unknown; signal?: AbortSignal }) {
        calls.push({ initialPrompts, prompt, constraint: options.responseConstraint });
        const asked = words(prompt);
        const said = answer === '' ? asked.map((word) => `${word} `) : [answer].flat();
        const total = contextUsage + asked.length;
        return new ReadableStream<string>({
          async pull(controller) {
            options.signal?.throwIfAborted();
            if (total > contextWindow) throw new QuotaExceeded(total);
            await new Promise((resolve) => setTimeout(resolve, 5));
            const piece = asked.includes('endless') ? 'more ' : said.shift();
            if (piece === undefined) controller.close();
            else controller.enqueue(piece);
            contextUsage = total + (piece === undefined ? asked.length : 0);
          },
        });
      },
      destroy() {
        state.sessions--;
      },
    };
  };
  function LanguageModel() {}
  // The source text of a bound function looks like that of a native one.
  return {
    LanguageModel: Object.assign(LanguageModel.bind(null), {
      async availability() {
        state.asked++;
        return availability;
      },
      create,
    }),
    state,
  };
}

interface CreateOptions {
  readonly initialPrompts?: readonly object[];
  readonly monitor?: (target: EventTarget) => void;
  readonly signal?: AbortSignal;
}
