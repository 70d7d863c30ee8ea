import { isBuiltIn } from '../../../shared/models/built-in-models.ts';
import type { Extension } from '../pipeline/extension.ts';
import { TokenSpellings } from '../answer/token-spelling.ts';
import type { GenerationConfig, Logits, WebLlmPipeline } from '../pipeline/webllm-pipeline.ts';
import { trace } from '../../../shared/trace/trace.ts';
import { adjustLogits } from './adjust-logits.ts';
import { samplesRight } from './check-sampling.ts';
import { logitsReader, READBACK_MEMBERS, type LogitsReadback } from './logits-readback.ts';
import { TokenDistribution } from './token-distribution.ts';

/**
 * Limit of the vocabulary size up to which reading the logits back (64 kB) is faster than sampling on the GPU. Larger
 * vocabularies are sampled on the CPU only with `logprobs`, where WebLLM reads all probabilities back anyway, with
 * `top_k`, or if the model library samples wrong tokens.
 */
const SMALL_VOCABULARY = 2 ** 14;

/** The temperature that WebLLM uses in place of 0. */
const LEAST_TEMPERATURE = 1e-6;

/** WebLLM's lower limit of `top_p`: smaller values have the same effect. */
const LEAST_TOP_P = 1e-5;

/** Sampling options of the next request that WebLLM's own parameters cannot express. */
interface RequestedSampling {
  /** Number of alternatives to report for each token; WebLLM itself refuses more than five. */
  readonly alternatives: number;
  /** Samples only from this many of the most likely tokens; null for all. */
  readonly topK: number | null;
}

export type RequestSampling = (sampling: RequestedSampling) => void;

/**
 * Samples on the CPU where that is faster, or where the model library samples wrong tokens on this GPU. For each token
 * WebLLM computes and sorts all probabilities on the GPU. It uploads mask, biases and penalties in new tensors, each of
 * which forces a submit, and with `logprobs` it also reads all probabilities back. This extension reads only the logits
 * back; at the same time the grammar computes its mask.
 */
export const CPU_SAMPLING: Extension<'cpu-sampling', RequestSampling> = {
  name: 'cpu-sampling',
  needs: [
    ...READBACK_MEMBERS,
    'sampleFromRawLogits',
    'forwardPrefill',
    'forwardDecodeToken',
    'isGrammarConstrained',
    'tvm.beginScope',
    'tvm.empty',
    'tvm.endScope',
    'tvm.rng.randomFloat',
    'tvm.setSeed',
    'tokenizer.decode',
    'tokenizer.idToToken',
    'fullVocabSize',
    'config',
    'appearedTokensFreq',
    'tokenLogprobArray',
  ],
  replaces: ['sampleFromRawLogits', 'forwardPrefill', 'forwardDecodeToken'],
  gain: 'Decoding with `logprobs` 3 to 4 times as fast, with a schema or penalties 1.2 times (Pocket, software WebGPU, EPYC).',
  async apply(pipeline, { entry }) {
    const isRightThere = isBuiltIn(entry.id) || (await samplesRight(pipeline));
    if (!isRightThere)
      trace('engine', 'samples on the CPU: on this graphics device the model library samples other tokens');
    const readLogits = logitsReader(pipeline.tvm.lib.webGPUContext);
    const isSmall = pipeline.fullVocabSize <= SMALL_VOCABULARY;
    const spellings = new TokenSpellings(pipeline.tokenizer);
    let wanted: RequestedSampling = { alternatives: 0, topK: null };
    const alternativesOf = ({ logprobs, top_logprobs }: GenerationConfig) =>
      logprobs ? Math.max(top_logprobs ?? 0, wanted.alternatives) : 0;
    const topPOf = ({ top_p }: GenerationConfig) => Math.max(top_p ?? pipeline.config.top_p ?? 1, LEAST_TOP_P);
    const isSampledHere = (logits: Logits, config: GenerationConfig) => {
      const isGreedy = topPOf(config) === LEAST_TOP_P;
      const isHere = alternativesOf(config) > 0 || wanted.topK !== null || (isRightThere ? isSmall : !isGreedy);
      return isHere && logits.dtype === 'float32' && pipeline.logitProcessor === undefined;
    };
    /** The sampling parameters of the running answer. */
    let current: GenerationConfig = {};
    let early: LogitsReadback | null = null;
    const readEarly = (logits: Logits) => {
      early = isSampledHere(logits, current) ? readLogits(logits) : null;
    };
    return {
      handle: (sampling) => (wanted = sampling),
      layers: {
        forwardPrefill:
          (next) =>
          async (...request) => {
            const result = await next(...request);
            current = request[3] ?? {};
            // Starts the copy before WebLLM waits for the GPU; otherwise there would be a second wait.
            readEarly(result.logits);
            return result;
          },
        forwardDecodeToken: (next) => async (token) => {
          const logits = await next(token);
          readEarly(logits);
          return logits;
        },
        sampleFromRawLogits:
          (next) =>
          async (logits, config = {}) => {
            if (!isSampledHere(logits, config)) return next(logits, config);
            const readback = early?.logits === logits ? early : readLogits(logits);
            early = null;
            const values = await adjustedLogits(pipeline, readback, config);
            const alternatives = alternativesOf(config);
            const temperature = Math.max(config.temperature ?? pipeline.config.temperature ?? 1, LEAST_TEMPERATURE);
            const distribution = new TokenDistribution(values, temperature);
            // Rounded, because WebLLM passes the random number to the GPU in single precision.
            const random = Math.fround(pipeline.tvm.rng.randomFloat());
            const token = distribution.sample(topPOf(config), random, wanted.topK ?? undefined);
            if (alternatives > 0) {
              const entry = (id: number) => ({ ...spellings.of(id), logprob: distribution.logprob(id) });
              const top_logprobs = distribution.mostLikely(alternatives).map(entry);
              pipeline.tokenLogprobArray.push({ ...entry(token), top_logprobs });
            }
            return token;
          },
      },
    };
  },
};

/** Reads the logits back, and applies the request's grammar, bias and penalties in WebLLM's order. */
async function adjustedLogits(
  pipeline: WebLlmPipeline,
  readback: LogitsReadback,
  config: GenerationConfig,
): Promise<Float32Array> {
  const constrained = pipeline.isGrammarConstrained(config.response_format);
  if (constrained && pipeline.grammarMatcher === undefined) throw new Error('There is no grammar to follow.');
  const mask = constrained ? await pipeline.grammarMatcher?.getNextTokenBitmask() : undefined;
  const values = await readback.values();
  adjustLogits(values, {
    mask,
    bias: config.logit_bias ?? {},
    presence: config.presence_penalty ?? pipeline.config.presence_penalty ?? 0,
    frequency: config.frequency_penalty ?? pipeline.config.frequency_penalty ?? 0,
    repetition: config.repetition_penalty ?? pipeline.config.repetition_penalty ?? 1,
    counts: pipeline.appearedTokensFreq,
  });
  return values;
}
