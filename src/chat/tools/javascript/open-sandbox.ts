import createEmscriptenModule from '@jitl/quickjs-wasmfile-release-sync/emscripten-module';
import { QuickJSFFI } from '@jitl/quickjs-wasmfile-release-sync/ffi';
import { QuickJSWASMModule } from 'quickjs-emscripten-core';
import { valueAsText } from './value-as-text.ts';
import { evaluateProgram, ProgramError, valueIn } from './evaluate-program.ts';
import { PROGRAM_SECONDS, PROGRAM_TOO_SLOW, shorten, type ProgramOutcome } from './program-outcome.ts';

/** Maximum heap bytes of a program. */
const MEMORY = 64 * 2 ** 20;

/**
 * Stack bytes of a program: enough for a recursion depth of a thousand. Twice as much would overflow the browser's own
 * stack first, which crashes the interpreter.
 */
const STACK = 192 * 2 ** 10;

/** Maximum characters of printed output. */
const MAX_PRINT_LENGTH = 900;

const BROKEN = 'The program has brought the interpreter down, most likely by nesting too deeply.';

/**
 * Source of the sandbox's `console`, its only global besides those of the language. It is evaluated before the program.
 * NUL characters are escaped as in JSON, because texts leave the interpreter as C strings, which end at the first NUL.
 */
const CONSOLE = `(print) => {
  const valueAsText = ${valueAsText.toString()};
  const describe = (value) => valueAsText(value).replaceAll('\\0', '\\\\u0000');
  const write = (...values) => print(values.map(describe).join(' '));
  const assert = (holds, ...values) => holds || write('Assertion failed:', ...values);
  const names = ['debug', 'dir', 'error', 'group', 'groupCollapsed', 'info', 'log', 'table', 'trace', 'warn'];
  const counts = new Map();
  const count = (label = 'default') => {
    counts.set(label, (counts.get(label) ?? 0) + 1);
    write(label + ':', counts.get(label));
  };
  const silent = ['clear', 'countReset', 'groupEnd', 'time', 'timeEnd', 'timeLog'];
  globalThis.console = { assert, count };
  for (const name of names) globalThis.console[name] = write;
  for (const name of silent) globalThis.console[name] = () => {};
  return describe;
}`;

/**
 * Prepares QuickJS, an interpreter in WebAssembly, for one program. The program has no network, page, storage or
 * timers.
 * @returns A function that runs the program, for at most {@link PROGRAM_SECONDS}. Some steps of the interpreter cannot
 * be interrupted; they end only if the worker is terminated.
 */
export async function openSandbox(): Promise<(program: string) => ProgramOutcome> {
  // The package's own loader would fetch its scripts one by one.
  const emscripten = Object.assign(await createEmscriptenModule(), { type: 'sync' as const });
  const context = new QuickJSWASMModule(emscripten, new QuickJSFFI(emscripten)).newContext();
  context.runtime.setMemoryLimit(MEMORY);
  context.runtime.setMaxStackSize(STACK);
  let printed = '';
  const print = context.newFunction('print', (text) => {
    if (printed.length <= MAX_PRINT_LENGTH) printed += `${context.getString(text).slice(0, MAX_PRINT_LENGTH + 1)}\n`;
  });
  const makeConsole = context.unwrapResult(context.evalCode(CONSOLE));
  const describe = context.unwrapResult(context.callFunction(makeConsole, context.undefined, print));

  return (program) => {
    const end = performance.now() + PROGRAM_SECONDS * 1000;
    let isLate = false;
    context.runtime.setInterruptHandler(() => (isLate ||= performance.now() > end));
    let value = '';
    let problem = '';
    try {
      const handle = evaluateProgram(context, program);
      if (context.typeof(handle) !== 'undefined')
        value = context.getString(valueIn(context, context.callFunction(describe, context.undefined, handle)));
    } catch (thrown) {
      problem = thrown instanceof ProgramError ? thrown.message : BROKEN;
    }
    // If the time limit was exceeded, this replaces the error that the interruption caused.
    if (isLate) problem = PROGRAM_TOO_SLOW;
    return outcome(shorten(printed.trimEnd(), MAX_PRINT_LENGTH), shorten(value), problem);
  };
}

function outcome(printed: string, value: string, problem: string): ProgramOutcome {
  if (problem !== '')
    return { failed: true, text: printed === '' ? problem : `${problem}\nBefore that it printed:\n${printed}` };
  if (printed === '')
    return { failed: false, text: value === '' ? 'The program printed nothing and has no value.' : value };
  return { failed: false, text: value === '' ? printed : `${printed}\nValue: ${value}` };
}
