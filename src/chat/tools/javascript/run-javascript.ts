import { withAbort, withTimeout } from '../../../shared/timeout.ts';
import type { JavaScriptMessage } from './javascript-worker.ts';
import { PROGRAM_SECONDS, PROGRAM_TOO_SLOW } from './program-outcome.ts';

/** Milliseconds before the worker is terminated, because some steps of the interpreter cannot be interrupted. */
const PATIENCE = (PROGRAM_SECONDS + 1) * 1000;

const NOT_THERE = 'The JavaScript sandbox could not be loaded.';

/**
 * Runs a model's program in an interpreter, in a worker of its own.
 * @returns What it printed, and the value of its last expression.
 * @throws Error with a message for the model if the program fails.
 * @throws the signal's reason if it aborts before the program ends.
 */
export async function runJavaScript(program: string, signal: AbortSignal): Promise<string> {
  const worker = new Worker(new URL('./javascript-worker.ts', import.meta.url), { type: 'module', name: 'javascript' });
  try {
    const { type } = await withAbort(next(worker), signal);
    if (type === 'failed') throw new Error(NOT_THERE);
    const message = next(worker);
    worker.postMessage(program);
    const told = await withAbort(withTimeout(PATIENCE, message, null), signal);
    if (told?.type !== 'outcome') throw new Error(PROGRAM_TOO_SLOW);
    const { failed, text } = told.outcome;
    if (failed) throw new Error(text);
    return text;
  } finally {
    worker.terminate();
  }
}

function next(worker: Worker): Promise<JavaScriptMessage> {
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<JavaScriptMessage>) => resolve(data), { once: true });
    worker.addEventListener('error', () => reject(new Error(NOT_THERE)), { once: true });
  });
}
