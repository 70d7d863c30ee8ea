import {
  createLanguageModel,
  type LanguageModelConstructor,
  type LanguageModelOptions,
} from './create-language-model.ts';
import type { Connection } from './endpoint-model.ts';

export interface InstallOptions extends LanguageModelOptions {
  /** Whether the browser's own `LanguageModel` is replaced. Default: false. */
  readonly replace?: boolean;
}

/**
 * Defines the global `LanguageModel` on this page if the browser has none.
 * @returns the global: the new one, or the browser's own.
 */
export function installLanguageModel(
  tabserve: Connection,
  { replace = false, ...options }: InstallOptions = {},
): LanguageModelConstructor {
  const scope = globalThis as { LanguageModel?: LanguageModelConstructor };
  if (scope.LanguageModel !== undefined && !replace) return scope.LanguageModel;
  const value = createLanguageModel(tabserve, options);
  Object.defineProperty(scope, 'LanguageModel', { value, configurable: true, writable: true });
  return value;
}
