import type { MLCEngineInterface } from '@mlc-ai/web-llm';
import type { Extension } from '../pipeline/extension.ts';

/** The function that merges two parts of an attention in place, up to where each lane has read the state of both. */
const READS_OF_STATE = /(fn \w*merge_state\w*\([^{]*\{(?:(?!\n\}).)*?\n\s*s_other_val\[0i?\] = S_other_ptr\[.*?;)/s;

/** Binding of the state that the kernel overwrites. */
const WRITTEN_STATE = /var<storage, read_write> S_ptr\b/;

/** Classes of devices whose shaders pass through {@link withMergeBarrier}. */
const changed = new WeakSet<object>();

/**
 * Mends a data race in libraries compiled by TVM: in `merge_state_inplace` all lanes of a group read the state of a head, and
 * each writes it afterwards. A device that runs the lanes in several steps reads what the first step wrote, and every prompt
 * of more than one part gets wrong logits. A barrier separates reads and writes. Reported in docs/upstream-reports.md.
 *
 * WebLLM makes its device inside of the load, so the class of all devices is changed.
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

/** The shader's text, with the barrier if it is that kernel and has none. */
function withMergeBarrier(code: string): string {
  if (!WRITTEN_STATE.test(code) || code.includes('Barrier()')) return code;
  return code.replace(READS_OF_STATE, '$1\n  storageBarrier();');
}
