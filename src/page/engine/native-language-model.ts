/**
 * The browser's own `LanguageModel` (Prompt API), if it has one, or a substitute that a script has already installed.
 * Read when the page starts, because `installLanguageModel` may replace the global later. Reading it does not call it:
 * Chrome logs a warning at the first call if it has no model.
 */
export const languageModelAtStart: unknown = (globalThis as { LanguageModel?: unknown }).LanguageModel;
