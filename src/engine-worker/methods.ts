import type { Completions } from './completions.ts';

/** What a method may use. */
export interface MethodContext {
  readonly completions: Completions;
  /** Root of the calling page's site with a trailing slash. */
  readonly site: string;
}

/**
 * A method that pages reach by `call(name, parameters)`. Parameters come from outside: check them. Results
 * are plain data; failures are ApiErrors.
 */
export type EngineMethod = (parameters: unknown, context: MethodContext) => unknown;

/** Method name → method. */
export type EngineMethods = Readonly<Record<string, EngineMethod>>;
