import { joinPasses } from './join-passes.ts';
import { keepBindGroups } from './keep-bind-groups.ts';
import { skipEqualNumbers } from './skip-equal-numbers.ts';

/** The part of WebLLM's object for a loaded model that is used or changed here. */
export interface LaunchingPipeline {
  readonly tvm?: { readonly lib?: { readonly webGPUContext?: { readonly device?: GPUDevice } } };
}

/**
 * Tells the graphics device less. For each launch of a kernel WebLLM makes a bind group, writes the kernel's numbers into
 * a small buffer, and begins and ends a compute pass; from one token to the next nearly all numbers and bindings are the
 * same, and launches that follow one another can share a pass. All of it goes to another process, where it costs more than
 * here.
 *
 * @returns whether WebLLM keeps its device where it is looked for; if not, nothing is changed.
 */
export function reuseLaunches({ tvm }: LaunchingPipeline): boolean {
  const device = tvm?.lib?.webGPUContext?.device;
  if (!device) return false;
  keepBindGroups(device);
  skipEqualNumbers(device.queue);
  joinPasses(device);
  return true;
}
