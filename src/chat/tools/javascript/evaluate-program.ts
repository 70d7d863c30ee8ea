import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import { shorten } from './program-outcome.ts';

/** What errors call the program. */
const PROGRAM = 'program';

/** `JS_EVAL_FLAG_ASYNC`, which the package does not name: `await` may stand anywhere, and what comes is a promise of `{ value }`. */
const WITH_AWAIT = 2 ** 7;

/** What a program has thrown, in words. */
export class ProgramError extends Error {}

/**
 * The value of a program's last expression.
 * @throws ProgramError; another one where the interpreter itself has failed.
 */
export function evaluateProgram(context: QuickJSContext, program: string): QuickJSHandle {
  const evaluated = valueIn(context, context.evalCode(program, PROGRAM, WITH_AWAIT));
  context.runtime.executePendingJobs();
  const value = context.getProp(settled(context, evaluated), 'value');
  // A program may end with a promise, as `main()` is one.
  return settled(context, value);
}

/** What a promise has become; a value that is none, itself. */
function settled(context: QuickJSContext, handle: QuickJSHandle): QuickJSHandle {
  const state = context.getPromiseState(handle);
  if (state.type !== 'pending') return valueIn(context, state);
  throw new ProgramError('The program waits for a promise that nothing settles: there is neither network nor timer.');
}

/**
 * What the interpreter has come to.
 * @throws ProgramError
 */
export function valueIn(
  context: QuickJSContext,
  result: { readonly value: QuickJSHandle; readonly error?: undefined } | { readonly error: QuickJSHandle },
): QuickJSHandle {
  if (result.error === undefined) return result.value;
  const thrown: unknown = context.dump(result.error);
  if (typeof thrown !== 'object' || thrown === null) throw new ProgramError(`Uncaught ${shorten(String(thrown))}`);
  const { name = 'Uncaught', message = thrown, stack } = thrown as Readonly<Record<string, unknown>>;
  const [, line] = new RegExp(`\\b${PROGRAM}:(\\d+)`).exec(asText(stack)) ?? [];
  const words = shorten(`${asText(name)}: ${asText(message)}`);
  throw new ProgramError(line === undefined ? words : `${words} (line ${line})`);
}

/** A program may give its errors anything as name and message. */
function asText(part: unknown): string {
  return typeof part === 'string' ? part : (JSON.stringify(part) ?? '');
}
