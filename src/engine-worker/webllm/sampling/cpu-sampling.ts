import { isBuiltIn } from '../../../shared/models/built-in-models.ts';
import type { Extension } from '../pipeline/extension.ts';
import { TokenSpellings } from '../answer/token-spelling.ts';
import {
  ON_GPU,
  type EngineLogprob,
  type GenerationConfig,
  type Logits,
  type WebLlmPipeline,
} from '../pipeline/webllm-pipeline.ts';
import { trace } from '../../../shared/trace/trace.ts';
import type { GpuSampling } from './gpu-sampler.ts';
import { addBias, adjustLogits } from './adjust-logits.ts';
import { samplesRight } from './check-sampling.ts';
import { READBACK_MEMBERS, tensorReader } from './tensor-readback.ts';
import { delayedLogprob } from './delayed-logprob.ts';
import { TokenDistribution, type SamplingLimits } from './token-distribution.ts';

/** The temperature that WebLLM uses in place of 0. */
const MIN_TEMPERATURE = 1e-6;

/** The temperature of reported probabilities: they are the model's, whatever the temperature at which it samples. */
const REPORTED_TEMPERATURE = 1;

/** WebLLM's lower limit of `top_p`: smaller values have the same effect. */
const MIN_TOP_P = 1e-5;

/** Sampling options of the next request that WebLLM's own parameters cannot express. */
interface RequestedSampling extends Required<SamplingLimits> {
  /** Number of alternatives to report for each token; WebLLM itself refuses more than five. */
  readonly alternatives: number;
}

export type RequestSampling = (sampling: RequestedSampling) => void;

export interface CpuSampling {
  /** Sets the options of the next request. */
  readonly request: RequestSampling;
  /**
   * Returns the parameters with which the GPU can sample the tokens of an answer: if no penalty decides on the CPU, and
   * the library samples the right tokens. Returns null if the CPU must sample them, or does it faster.
   */
  gpuSampling(config: GenerationConfig): GpuSampling | null;
  /** Number of alternatives to report for each token; 0 without `logprobs`. */
  alternativesOf(config: GenerationConfig): number;
  /** Reports a token that the GPU has sampled from these logits, which must not have been changed by the bias. */
  reportLogprob(token: number, logits: Float32Array, config: GenerationConfig): void;
}

/** A pending copy of logits from the GPU. */
interface LogitsReadback {
  /** The logits on the GPU. */
  readonly logits: Logits;
  readonly values: Promise<ArrayBuffer>;
}

/**
 * Samples on the CPU where that is faster, or where the model library samples wrong tokens on this GPU. For each token
 * WebLLM computes and sorts all probabilities on the GPU. It uploads mask, biases and penalties in new tensors, each of
 * which forces a submit, and with `logprobs` it also reads all probabilities back. This extension reads only the logits
 * back; at the same time the grammar computes its mask.
 */
export const CPU_SAMPLING: Extension<'cpu-sampling', CpuSampling> = {
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
  gain: 'Decoding with `logprobs` 3 to 4 times as fast, with a schema or penalties 1.2 times (built-in model, software WebGPU, EPYC).',
  async apply(pipeline, { entry, smallVocabulary }) {
    const isRightThere = isBuiltIn(entry.id) || (await samplesRight(pipeline));
    if (!isRightThere)
      trace('engine', 'samples on the CPU: on this graphics processor the model library samples other tokens');
    const read = tensorReader(pipeline.tvm.lib.webGPUContext);
    const readLogits = (logits: Logits): LogitsReadback => ({ logits, values: read(logits) });
    const isSmall = pipeline.fullVocabSize <= smallVocabulary;
    const spellings = new TokenSpellings(pipeline.tokenizer);
    let wanted: RequestedSampling = { alternatives: 0, minP: null, topK: null };
    const hasLimits = () => wanted.topK !== null || wanted.minP !== null;
    const alternativesOf = ({ logprobs, top_logprobs }: GenerationConfig) =>
      logprobs ? Math.max(top_logprobs ?? 0, wanted.alternatives) : 0;
    const topPOf = ({ top_p }: GenerationConfig) => Math.max(top_p ?? pipeline.config.top_p ?? 1, MIN_TOP_P);
    const temperatureOf = ({ temperature }: GenerationConfig) =>
      Math.max(temperature ?? pipeline.config.temperature ?? 1, MIN_TEMPERATURE);
    const isGreedyOf = (config: GenerationConfig) => topPOf(config) === MIN_TOP_P;
    const isSampledHere = (logits: Logits, config: GenerationConfig) => {
      const isGreedy = isGreedyOf(config);
      const isHere = alternativesOf(config) > 0 || hasLimits() || (isRightThere ? isSmall : !isGreedy);
      return isHere && logits.dtype === 'float32' && pipeline.logitProcessor === undefined;
    };
    /** The sampling parameters of the running answer. */
    let current: GenerationConfig = {};
    /** Whether the logits of the running answer are float32. */
    let isReadable = false;
    let early: LogitsReadback | null = null;
    const readEarly = (logits: Logits) => {
      // Logits that were computed before WebLLM asked for them arrive twice.
      if (early?.logits === logits) return;
      early = isSampledHere(logits, current) ? readLogits(logits) : null;
    };
    const report = (token: number, alternatives: number, distributionOf: () => TokenDistribution) => {
      const entryOf = (): EngineLogprob => {
        const distribution = distributionOf();
        const entry = (id: number) => ({ ...spellings.of(id), logprob: distribution.logprob(id) });
        return { ...entry(token), top_logprobs: distribution.mostLikely(alternatives).map(entry) };
      };
      pipeline.tokenLogprobArray.push(delayedLogprob(entryOf));
    };
    const gpuSampling = (config: GenerationConfig): GpuSampling | null => {
      const greedy = isGreedyOf(config);
      const masked = pipeline.isGrammarConstrained(config.response_format);
      const needsCpu =
        !isReadable ||
        hasLimits() ||
        pipeline.logitProcessor !== undefined ||
        (masked && (isSmall || alternativesOf(config) > 0)) ||
        hasPenalties(pipeline, config) ||
        (!greedy && (isSmall || !isRightThere));
      if (needsCpu) return null;
      const [temperature, topP] = [temperatureOf(config), topPOf(config)];
      return { greedy, temperature, topP, bias: config.logit_bias ?? {}, masked };
    };
    return {
      handle: {
        request: (sampling) => (wanted = sampling),
        gpuSampling,
        alternativesOf,
        reportLogprob(token, logits, config) {
          report(token, alternativesOf(config), () => {
            addBias(logits, config.logit_bias ?? {});
            return new TokenDistribution(logits, REPORTED_TEMPERATURE);
          });
        },
      },
      layers: {
        forwardPrefill:
          (next) =>
          async (...request) => {
            const result = await next(...request);
            current = request[3] ?? {};
            isReadable = result.logits.dtype === 'float32';
            // Starts the copy before WebLLM waits for the GPU; otherwise there would be a second wait.
            readEarly(result.logits);
            return result;
          },
        forwardDecodeToken: (next) => async (token) => {
          const logits = await next(token);
          if (token !== ON_GPU) readEarly(logits);
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
            const temperature = temperatureOf(config);
            // A distribution overwrites its logits.
            const untempered = alternatives > 0 && temperature !== REPORTED_TEMPERATURE ? values.slice() : null;
            const distribution = new TokenDistribution(values, temperature);
            // Rounded, because WebLLM passes the random number to the GPU in single precision.
            const random = Math.fround(pipeline.tvm.rng.randomFloat());
            const token = distribution.sample(topPOf(config), random, wanted);
            if (alternatives > 0) {
              report(token, alternatives, () =>
                untempered === null ? distribution : new TokenDistribution(untempered, REPORTED_TEMPERATURE),
              );
            }
            return token;
          },
      },
    };
  },
};

function hasPenalties({ config: defaults }: WebLlmPipeline, config: GenerationConfig): boolean {
  return (
    (config.presence_penalty ?? defaults.presence_penalty ?? 0) !== 0 ||
    (config.frequency_penalty ?? defaults.frequency_penalty ?? 0) !== 0 ||
    (config.repetition_penalty ?? defaults.repetition_penalty ?? 1) !== 1
  );
}

/** Reads the logits back, and applies the request's grammar, bias and penalties in WebLLM's order. */
async function adjustedLogits(
  pipeline: WebLlmPipeline,
  readback: LogitsReadback,
  config: GenerationConfig,
): Promise<Float32Array> {
  const constrained = pipeline.isGrammarConstrained(config.response_format);
  if (constrained && pipeline.grammarMatcher === undefined) throw new Error('There is no grammar to follow.');
  const mask = constrained ? await pipeline.grammarMatcher?.getNextTokenBitmask() : undefined;
  const values = new Float32Array(await readback.values);
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
