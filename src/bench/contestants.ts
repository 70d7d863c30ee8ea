import type { Tabserve } from '../page/index.ts';
import { VERSION } from '../shared/messaging/messages.ts';
import type { ModelFiles } from '../shared/models/model-management.ts';
import { withAbort } from '../shared/timeout.ts';
import { benchStrings } from '../chat/strings/bench-strings.ts';
import { describeMachine, type Machine } from './describe-machine.ts';
import type { Contestants } from './run-bench.ts';
import { EndpointSide } from './sides/endpoint-side.ts';
import type { SideName } from '../chat/types/bench-rows.ts';
import type { Side } from './sides/side.ts';
import { WebLlmSide } from './sides/webllm-side.ts';
import { WllamaSide, type WllamaName } from './sides/wllama-side.ts';

/** Folder of llama.cpp's files, relative to the site's root. The build defines it. */
declare const LLAMA_CPP_FOLDER: string;

/** For each side, null if it can run a model in this browser, otherwise the reason as a sentence. */
type Ability = ReadonlyMap<SideName, string | null>;

/** Returns which sides can run models of a format on this machine. */
function sidesFor(format: ModelFiles['format'], { gpu, shaderF16, isolated, processors }: Machine): Ability {
  const { reasons } = benchStrings;
  if (format === 'package') return new Map([['webllm', gpu === null ? reasons.noGpu : null]]);
  if (format === 'browser') return new Map();
  const hasJspi = 'Suspending' in WebAssembly;
  const webgpu = gpu === null ? reasons.noGpu : !shaderF16 ? reasons.noF16 : hasJspi ? null : reasons.noJspi;
  const hasThreads = isolated && processors > 1 && 'SharedArrayBuffer' in globalThis;
  return new Map<SideName, string | null>([
    ['wllama-1', null],
    ['wllama-all', hasThreads ? null : reasons.noThreads],
    ['wllama-webgpu', webgpu],
  ]);
}

/**
 * Prepares a model and the sides that run it. The endpoint loads the model first, which downloads missing files.
 * @param wanted Sides other than the endpoint. Those that this browser cannot run are left out, with a reason.
 */
export async function contestantsFor(
  tabserve: Tabserve,
  id: string,
  wanted: readonly SideName[],
  signal: AbortSignal,
): Promise<Contestants> {
  const endpoint = new EndpointSide(tabserve, id);
  await endpoint.load(signal);
  const model = await withAbort(tabserve.call('models/files', { id }), signal);
  const machine = await describeMachine();
  const able = sidesFor(model.format, machine);
  const possible = [...able].filter(([name]) => wanted.includes(name));
  const names = possible.flatMap(([name, reason]) => (reason === null ? [name] : []));
  return {
    model: {
      id,
      format: model.format,
      bytes: model.files.reduce((sum, { size }) => sum + size, 0),
      contextWindow: model.contextWindow,
    },
    machine,
    files: model.files,
    endpoint,
    others: names.map((name) => createSide(name, id, model)),
    leftOut: possible.flatMap(([side, reason]) => (reason === null ? [] : [{ side, reason }])),
    place: () => placeOf(tabserve),
    version: VERSION,
  };
}

function createSide(name: SideName, id: string, model: ModelFiles): Side {
  if (name === 'webllm') return new WebLlmSide({ ...model, id }, startWebLlm);
  const folder = new URL(`../${LLAMA_CPP_FOLDER}`, document.baseURI).href;
  return new WllamaSide(name as WllamaName, { ...model, folder });
}

function startWebLlm(): Worker {
  return new Worker(new URL('../engine-worker/webllm/direct-webllm-worker.ts', import.meta.url), {
    type: 'module',
    name: 'webllm-by-itself',
  });
}

function placeOf({ status }: Tabserve): string {
  return status.state === 'ready' ? (status.engine ?? status.gpu) : '';
}
