import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { COMPAT_FOLDER } from '../../src/shared/models/llama-cpp-files.ts';
import { copyFiles } from './copy-files.ts';

const require = createRequire(join(PROJECT_FOLDER, 'package.json'));

/** Folder of llama.cpp's files in the library, and on a site that uses llama.cpp. */
export const LIBRARY_LLAMA_CPP_FOLDER = 'tabserve-llama-cpp/';

/**
 * The files that run llama.cpp, by path: the package `@wllama/wllama`, its WebAssembly, and the scripts of its workers;
 * and in {@link COMPAT_FOLDER} the program of `@wllama/wllama-compat`, for browsers whose WebAssembly has no 64-bit
 * memories. The package starts its workers from `blob:` addresses, which the Content-Security-Policy `worker-src
 * 'self'` blocks. So the scripts are extracted from the package's sources into files.
 */
function llamaCppFiles(): ReadonlyMap<string, Buffer> {
  const handler = String(readFileSync(require.resolve('@wllama/wllama/src/workers-code/llama-cpp.js')));
  const program = String(readFileSync(require.resolve('@wllama/wllama/src/wasm/wllama.js')));
  const compatProgram = String(readFileSync(require.resolve('@wllama/wllama-compat/wasm/wllama.js')));
  return new Map([
    ['wllama.js', readFileSync(require.resolve('@wllama/wllama/esm/index.min.js'))],
    ['wllama.wasm', readFileSync(require.resolve('@wllama/wllama/esm/wasm/wllama.wasm'))],
    ['thread.js', Buffer.from(threadScript(program))],
    ['worker.js', Buffer.from(workerScript(program, handler, FIND_GPU))],
    [`${COMPAT_FOLDER}wllama.wasm`, readFileSync(require.resolve('@wllama/wllama-compat/wasm/wllama.wasm'))],
    [`${COMPAT_FOLDER}thread.js`, Buffer.from(threadScript(compatProgram))],
    [`${COMPAT_FOLDER}worker.js`, Buffer.from(workerScript(compatProgram, withSmallMemory(handler), FIND_NO_GPU))],
  ]);
}

/**
 * Adds the files of {@link llamaCppFiles} to a build and defines `LLAMA_CPP_FOLDER`, their folder relative to the
 * site's root.
 * @param folder With a trailing slash. Default: a folder in `assets` whose name has a hash of the files.
 */
export function addLlamaCpp(folder?: string): Plugin {
  return copyFiles({ name: 'llama-cpp', constant: 'LLAMA_CPP_FOLDER', files: llamaCppFiles(), folder });
}

/**
 * Replaces functions of JSPI in browsers that lack it. Emscripten's program looks them up at startup, although it calls
 * them only for WebGPU.
 */
const JSPI_STUBS = `
WebAssembly.Suspending ??= function (run) { return run; };
WebAssembly.promising ??= (run) => async (...parameters) => run(...parameters);
`;

/** Makes the threads of llama.cpp find no WebGPU adapter. Only the main worker uses the graphics device. */
const NO_GPU = `
Object.defineProperty(WorkerNavigator.prototype, 'gpu', { get: () => ({ requestAdapter: async () => null }) });
`;

/**
 * Finds the graphics device that llama.cpp can use. Requirements: JSPI, so that WebAssembly can wait for the device;
 * 16-bit floats, without which llama.cpp uses the CPU and does not report it; and a real device, not one that the CPU
 * emulates.
 */
const FIND_GPU = `
const hasJspi = 'Suspending' in WebAssembly;
async function findGpu() {
  if (!hasJspi) return null;
  const adapter = await navigator.gpu?.requestAdapter({ powerPreference: 'high-performance' }).catch(() => null);
  if (!adapter?.features.has('shader-f16') || adapter.info.isFallbackAdapter) return null;
  const { description, vendor, architecture } = adapter.info;
  return description || [vendor, architecture].filter(Boolean).join(' ') || 'graphics adapter';
}
`;

/** The place in the package's message handler where llama.cpp has ended an action, and its output is read. */
const ACTION_ENDED = 'const outputPtr = await wllamaAction(argAction, inputPtr);';

/**
 * Makes an action fail with llama.cpp's own message if llama.cpp has thrown an exception. llama.cpp prints the message as
 * an error and returns no output. The package would read the output's length from the request's first bytes, fail
 * with "Invalid typed array length", and end all other actions, too.
 * @param handler The package's message handler.
 * @throws Error if the handler has changed, for example with an update of the package.
 */
function withExceptions(handler: string): string {
  if (!handler.includes(ACTION_ENDED)) throw new Error(`The handler of @wllama/wllama lacks: ${ACTION_ENDED}`);
  return handler.replace(
    ACTION_ENDED,
    `${ACTION_ENDED}
    if (!outputPtr) return msg({ callbackId, err: printed.join('\\n') || 'llama.cpp gave no reason' });`,
  );
}

/**
 * Finds out whether llama.cpp's threads can share memory. WebKitGTK 2.50 cannot, even if the page is cross-origin
 * isolated.
 */
const SHARED_MEMORY = "const HAS_SHARED_MEMORY = typeof SharedArrayBuffer !== 'undefined';";

/** The program for 32-bit memories computes on the CPU only: with it, no GPU was tried. */
const FIND_NO_GPU = 'const findGpu = async () => null;';

/**
 * Changes the package's message handler for the program for 32-bit memories. That program takes addresses from 2 GiB
 * on for negative numbers, so its memory must not grow further. The handler also creates the memory of a program
 * without threads, because where a browser grants less, it tries smaller ones.
 */
function withSmallMemory(handler: string): string {
  const changes = [
    ['let maxBytes = 4096 * 1024 * 1024;', 'let maxBytes = 2048 * 1024 * 1024;'],
    ['wasmMemory: hasMultithread ? getWasmMemory() : null,', 'wasmMemory: getWasmMemory(),'],
  ] as const;
  return changes.reduce((text, [before, after]) => {
    if (!text.includes(before)) throw new Error(`llama-cpp.js of @wllama/wllama no longer contains: ${before}`);
    return text.replace(before, after);
  }, handler);
}

/** The script of a thread of llama.cpp. */
function threadScript(program: string): string {
  return `${JSPI_STUBS}\n${NO_GPU}\n${program}`;
}

/**
 * The script of the worker that runs llama.cpp. The worker reports its start to the page that created it, and gets a
 * port to the engine. From then on it communicates only with the engine: the package's code uses the worker's global
 * `postMessage` and `onmessage`, which are redefined here to use the port.
 * @param program Emscripten's program.
 * @param handler The package's message handler.
 * @param findGpu Code that defines the function `findGpu`.
 */
function workerScript(program: string, handler: string, findGpu: string): string {
  return `
${findGpu}
${SHARED_MEMORY}
let RUN_OPTIONS;
let port;
let onmessage;
/** The lines of the last error message. Only the first line of a message is marked as an error. */
let printed = [];
const postMessage = (message, transfer) => {
  const { verb, args } = message;
  if (verb === 'console.error') printed = [args[0]];
  else if (verb === 'console.log' && printed.length > 0 && printed.length < 100) printed.push(args[0]);
  else if (verb?.startsWith('console.')) printed = [];
  port.postMessage(message, transfer ?? []);
};
const fail = (message) => postMessage({ verb: 'signal.abort', args: ['abort', message, '', null] });
addEventListener('error', ({ message }) => port && fail(message));
addEventListener('unhandledrejection', ({ reason }) => port && fail(String(reason)));
class Worker extends globalThis.Worker {
  constructor(_, options) {
    super(RUN_OPTIONS.threadScript, options);
  }
}
addEventListener('message', ({ data: { lockName, port: given } }) => {
  port = given;
  port.addEventListener('message', (event) => {
    if (event.data.runOptions) RUN_OPTIONS = event.data.runOptions;
    else onmessage(event);
  });
  port.start();
  navigator.locks.request(lockName, async () => {
    const cores = HAS_SHARED_MEMORY ? navigator.hardwareConcurrency ?? 1 : 1;
    port.postMessage({ type: 'started', isolated: crossOriginIsolated, cores, gpu: await findGpu() });
    return new Promise(() => {});
  });
}, { once: true });
globalThis.postMessage('loaded');

function wModuleInit() {
${JSPI_STUBS}
if (!RUN_OPTIONS.useGpu) {${NO_GPU}}
${program.replace('var Module', 'var ___Module')}
return Module;
}

${withExceptions(handler)}
`;
}
