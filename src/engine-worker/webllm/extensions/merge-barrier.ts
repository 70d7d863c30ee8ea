import type { MLCEngineInterface } from '@mlc-ai/web-llm';
import type { Extension } from '../pipeline/extension.ts';

/**
 * Matches the kernel that merges two parts of an attention in place, up to the point where each lane has read the state
 * of both parts.
 */
const READS_OF_STATE = /(fn \w*merge_state\w*\([^{]*\{(?:(?!\n\}).)*?\n\s*s_other_val\[0i?\] = S_other_ptr\[.*?;)/s;

/** Matches the binding of the state that the kernel overwrites. */
const WRITTEN_STATE = /var<storage, read_write> S_ptr\b/;

/** The device classes that {@link withMergeBarrier} has already been added to. */
const changed = new WeakSet<object>();

/**
 * Fixes a data race in libraries compiled by TVM: in `merge_state_inplace` all lanes of a group read the state of a
 * head, and then each lane writes it. On a device that runs the lanes in several steps, later steps read what the first
 * step wrote, and every prompt that is prefilled in parts gets wrong logits. The fix inserts a barrier between the
 * reads and the writes. Reported in docs/upstream-reports.md.
 *
 * The class of all GPU devices is changed, because WebLLM creates its device within the load.
 */
export const MERGE_BARRIER: Extension<'merge-barrier', null, { readonly engine: MLCEngineInterface }> = {
  name: 'merge-barrier',
  needs: [],
  replaces: [],
  gain: 'Prompts in parts, and so the prompt cache, are right on devices that run fewer than 16 lanes in lockstep.',
  apply() {
    if (typeof GPUDevice === 'undefined') return { off: 'this browser has no WebGPU' };
    const { prototype } = GPUDevice;
    if (!changed.has(prototype)) {
      changed.add(prototype);
      const { createShaderModule } = prototype;
      prototype.createShaderModule = function createWithBarrier(descriptor) {
        return createShaderModule.call(this, { ...descriptor, code: withMergeBarrier(descriptor.code) });
      };
    }
    return { handle: null };
  },
};

/** Inserts the barrier if the code is that kernel and has none. Returns other code unchanged. */
function withMergeBarrier(code: string): string {
  if (!WRITTEN_STATE.test(code) || code.includes('Barrier()')) return code;
  return code.replace(READS_OF_STATE, '$1\n  storageBarrier();');
}
