import { findDeviceModel } from '../shared/device-models.ts';
import { ENGINE_LOCK_PREFIX, holdForLife } from '../shared/locks.ts';
import { Completions } from './completions.ts';
import { loadModel } from './load-model.ts';
import type { EngineMethods } from './methods.ts';
import { MODEL_METHODS } from './models/model-methods.ts';
import { PortServer } from './port-server.ts';
import { probeGpu } from './probe-gpu.ts';
import { createWebLlmEngine } from './webllm/create-webllm-engine.ts';

declare const self: SharedWorkerGlobalScope | DedicatedWorkerGlobalScope;

const lockName = ENGINE_LOCK_PREFIX + self.name;
const held = holdForLife(lockName).then(() => lockName);
const gpu = probeGpu();

const completions = new Completions({
  engine: createWebLlmEngine(),
  findModel: async (id) => findDeviceModel(id, await server.site),
  gpu,
  // The lock is freed by this: every client learns of it and asks for a new engine.
  onStuck: () => self.close(),
});
const methods: EngineMethods = { ...MODEL_METHODS, 'models/load': loadModel };
const server = new PortServer({ completions, methods, lockName: held, gpu });

function serveTransferred({ ports }: MessageEvent): void {
  for (const port of ports) server.serve(port);
}

// As a SharedWorker each new page is a `connect` event; as a DedicatedWorker the page sends ports along.
self.addEventListener('onconnect' in self ? 'connect' : 'message', (event) => serveTransferred(event as MessageEvent));
