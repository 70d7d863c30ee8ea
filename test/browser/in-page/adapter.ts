import { createWebLlmEngine } from '../../../src/engine-worker/webllm/create-webllm-engine.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';

let compiled = 0;
for (const name of ['createComputePipeline', 'createComputePipelineAsync', 'createShaderModule'] as const) {
  const create = GPUDevice.prototype[name] as (this: GPUDevice, descriptor: object) => unknown;
  Object.assign(GPUDevice.prototype, {
    [name](this: GPUDevice, descriptor: object) {
      compiled++;
      return create.call(this, descriptor);
    },
  });
}

const engine = createWebLlmEngine();

/**
 * Loads the built-in model with the adapter, without worker or endpoint. @returns the number of compiled shaders and
 * pipelines.
 */
export async function load(): Promise<number> {
  await engine.load(builtInModel(`${location.origin}/`), () => {}, new AbortController().signal);
  return compiled;
}

/** Returns the number of shaders and pipelines that another answer of a few tokens compiles. */
export async function compiledBy(request: Partial<CompletionRequest>): Promise<number> {
  const before = compiled;
  const whole = { ...completionRequest('Tell me a story about a dog.', 'pocket'), maxTokens: 5, ...request };
  for await (const _ of engine.generate(whole, new AbortController().signal));
  return compiled - before;
}
