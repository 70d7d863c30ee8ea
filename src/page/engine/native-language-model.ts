/**
 * The part of the browser's Prompt API that Tabserve uses. Browsers from before 2026 have `inputQuota` and
 * `inputUsage` instead of the names with `context`. Source: github.com/webmachinelearning/prompt-api, `index.bs`,
 * commit 2e27365 (2026-06-22).
 */
export interface BrowserSession {
  readonly contextWindow?: number;
  readonly inputQuota?: number;
  readonly contextUsage?: number;
  readonly inputUsage?: number;
  measureContextUsage?(prompt: readonly object[], options: object): Promise<number>;
  measureInputUsage?(prompt: readonly object[], options: object): Promise<number>;
  promptStreaming(prompt: readonly object[], options: object): ReadableStream<string>;
  destroy(): void;
}

interface BrowserLanguageModel {
  availability(options: object): Promise<string>;
  create(options: object): Promise<BrowserSession>;
}

/**
 * The browser's own API; undefined if it has none. Read when the page starts, because `installLanguageModel` may
 * replace the global later. Reading it does not call it: Chrome logs a warning at the first call if it has no model.
 */
export const languageModel = nativeLanguageModel();

/**
 * Returns the browser's own API. A substitute that a script installed, such as Tabserve's, is ignored: it may send
 * prompts to a server.
 */
function nativeLanguageModel(): BrowserLanguageModel | undefined {
  const { LanguageModel } = globalThis as { LanguageModel?: unknown };
  const isNative =
    typeof LanguageModel === 'function' &&
    /\[native code\]\s*\}$/.test(Function.prototype.toString.call(LanguageModel));
  return isNative ? (LanguageModel as unknown as BrowserLanguageModel) : undefined;
}
