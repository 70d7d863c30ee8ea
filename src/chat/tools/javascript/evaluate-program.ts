import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import { shorten } from './program-outcome.ts';

/** The program's file name in errors. */
const PROGRAM = 'program';

/**
 * `JS_EVAL_FLAG_ASYNC`, which the package does not export. It allows top-level `await`. The result is then a promise of
 * an object whose `value` is the program's value.
 */
const WITH_AWAIT = 2 ** 7;

/** An error that the program threw, as text. */
export class ProgramError extends Error {}

/**
 * Returns the value of a program's last expression.
 * @throws ProgramError if the program throws; another error if the interpreter itself fails.
 */
export function evaluateProgram(context: QuickJSContext, program: string): QuickJSHandle {
  const evaluated = valueIn(context, context.evalCode(program, PROGRAM, WITH_AWAIT));
  context.runtime.executePendingJobs();
  const value = context.getProp(settled(context, evaluated), 'value');
  // The last expression may be a promise, as in `main()`.
  return settled(context, value);
}

/**
 * Returns the value with which a promise was fulfilled; any other value is returned unchanged.
 * @throws ProgramError if the promise is rejected or still pending.
 */
function settled(context: QuickJSContext, handle: QuickJSHandle): QuickJSHandle {
  const state = context.getPromiseState(handle);
  if (state.type !== 'pending') return valueIn(context, state);
  throw new ProgramError('The program waits for a promise that is never settled: there is neither network nor timer.');
}

/**
 * Unwraps a result of the interpreter.
 * @throws ProgramError if the result is an error that the program threw.
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

/** Converts an error's name or message, which may have any type, to text. */
function asText(part: unknown): string {
  return typeof part === 'string' ? part : (JSON.stringify(part) ?? '');
}
