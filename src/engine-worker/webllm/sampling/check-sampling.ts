import type { WebLlmPipeline } from '../pipeline/webllm-pipeline.ts';
import { TokenDistribution } from './token-distribution.ts';

/** Tokens that are likely in the check. A faulty scan of probabilities goes wrong beyond the first group of lanes. */
const LIKELY = 256;

/** Difference of the logits of one token and the next likely one. */
const STEP = 0.01;

/** Logit of all other tokens: they are never sampled. */
const UNLIKELY = -30;

const TOP_P = 0.9;

/** Each seed is one sample. */
const SEEDS = [97, 7919, 104_729, 1_299_709, 15_485_863, 179_424_673];

/** Ranks by which two samples may differ, because sums of probabilities are rounded in another order. */
const TOLERANCE = 1;

/**
 * Checks whether WebLLM samples the tokens that {@link TokenDistribution} samples from the same logits and random numbers.
 * Libraries compiled by TVM do not on some devices: they sum up the sorted probabilities with 32 lanes that do not wait for
 * each other. Sampling them on the CPU is right in any case.
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
      // Again for each sample: WebLLM changes logits in place.
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
    // Answers without a seed must differ from load to load.
    tvm.setSeed(Date.now());
    tvm.endScope();
  }
}
