import { trace } from '../../../shared/trace/trace.ts';
import type { WebLlmPipeline } from '../pipeline/webllm-pipeline.ts';
import { ArgMax } from './arg-max.ts';
import { tensorReader } from './tensor-readback.ts';

/** The tokens that the check expects, as shares of the vocabulary. */
const SHARES = [0, 0.618, 1];

/**
 * Makes the search for the most likely token, and tries it with known logits. Without the check, a device that cannot
 * run its shader would repeat one token silently: WebGPU reports invalid commands to no caller.
 * @returns null if the search fails or finds other tokens, so that the CPU must search.
 */
export async function checkedArgMax(pipeline: WebLlmPipeline): Promise<ArgMax | null> {
  const { device, fullVocabSize: size, tvm } = pipeline;
  tvm.beginScope();
  try {
    const argMax = new ArgMax(tvm.lib.webGPUContext, size);
    const read = tensorReader(tvm.lib.webGPUContext);
    const logits = tvm.empty([1, 1, size], 'float32', device);
    const token = tvm.empty([1], 'int32', device);
    for (const share of SHARES) {
      const highest = Math.floor(share * (size - 1));
      logits.copyFrom(new Float32Array(size).fill(-1).fill(1, highest, highest + 1));
      token.copyFrom(Int32Array.of(-1));
      argMax.encode(logits, token);
      const [found] = new Int32Array(await read(token));
      if (found !== highest) throw new Error(`found ${found} instead of ${highest}`);
    }
    return argMax;
  } catch (thrown) {
    if (thrown instanceof WebAssembly.RuntimeError) throw thrown;
    trace(
      'engine',
      'finds the most likely token on the CPU: the search on this graphics processor failed:',
      String(thrown),
    );
    return null;
  } finally {
    tvm.endScope();
  }
}
