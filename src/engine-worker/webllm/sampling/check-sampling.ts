import type { WebLlmPipeline } from '../pipeline/webllm-pipeline.ts';
import { TokenDistribution } from './token-distribution.ts';

/**
 * Number of tokens that are likely in the check. A faulty prefix sum goes wrong beyond the first group of lanes, so
 * there must be many.
 */
const LIKELY = 256;

/** Difference between the logits of one token and the next less likely token. */
const STEP = 0.01;

/** Logit of all other tokens, low enough that they are never sampled. */
const UNLIKELY = -30;

const TOP_P = 0.9;

/** The seeds; the check takes one sample with each. */
const SEEDS = [97, 7919, 104_729, 1_299_709, 15_485_863, 179_424_673];

/** Number of ranks by which two samples may differ, because sums of probabilities are rounded in a different order. */
const TOLERANCE = 1;

/**
 * Checks whether WebLLM samples the same tokens as {@link TokenDistribution} from the same logits and random numbers.
 * On some devices libraries compiled by TVM do not: they sum up the sorted probabilities with 32 lanes that do not wait
 * for each other. If the check fails, Tabserve samples on the CPU.
 *
 * @throws WebAssembly.RuntimeError if the model library traps.
 */
export async function samplesRight(pipeline: WebLlmPipeline): Promise<boolean> {
  const { fullVocabSize: size, tvm } = pipeline;
  const likely = Array.from({ length: Math.min(LIKELY, size) }, (_, rank) => (rank * 7919 + 97) % size);
  const logits = new Float32Array(size).fill(UNLIKELY);
  for (const [rank, token] of likely.entries()) logits[token] = -rank * STEP;
  const config = { temperature: 1, top_p: TOP_P, presence_penalty: 0, frequency_penalty: 0, repetition_penalty: 1 };
  tvm.beginScope();
  try {
    const tensor = tvm.empty([1, 1, size], 'float32', pipeline.device);
    for (const seed of SEEDS) {
      // Copied again for each sample, because WebLLM changes logits in place.
      tensor.copyFrom(logits);
      tvm.setSeed(seed);
      const sampled = likely.indexOf(await pipeline.sampleFromRawLogits(tensor, config));
      tvm.setSeed(seed);
      const uniform = Math.fround(tvm.rng.randomFloat());
      const right = likely.indexOf(new TokenDistribution(logits.slice(), 1).sample(TOP_P, uniform));
      if (sampled < 0 || Math.abs(sampled - right) > TOLERANCE) return false;
    }
    return true;
  } catch (thrown) {
    if (thrown instanceof WebAssembly.RuntimeError) throw thrown;
    return false;
  } finally {
    // Seeds by the time, so that answers without a seed differ from load to load.
    tvm.setSeed(Date.now());
    tvm.endScope();
  }
}
