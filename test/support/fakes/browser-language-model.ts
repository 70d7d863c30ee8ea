// The source of the function below runs in pages, where it has no outer scope.
/* oxlint-disable unicorn/consistent-function-scoping */

/** What a call of {@link createBrowserLanguageModel}'s sessions got. */
export interface BrowserCall {
  readonly initialPrompts: readonly object[] | undefined;
  readonly prompt: readonly object[];
  readonly constraint: unknown;
}

/**
 * A stand-in for the browser's `LanguageModel`, which no browser of the tests has a model for: it answers with the words that it
 * was asked, and a prompt with "endless" for ever. It looks like a function of the browser. It runs in Node and, as its own
 * source, in a page.
 */
export function createBrowserLanguageModel(
  { availability = 'available', contextWindow = 60, answer = '' } = {},
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
  const state = { sessions: 0 };
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
        const said = answer === '' ? asked.map((word) => `${word} `) : [answer];
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
  // The source of a bound function reads as one of the browser.
  return {
    LanguageModel: Object.assign(LanguageModel.bind(null), { availability: async () => availability, create }),
    state,
  };
}

interface CreateOptions {
  readonly initialPrompts?: readonly object[];
  readonly monitor?: (target: EventTarget) => void;
  readonly signal?: AbortSignal;
}
