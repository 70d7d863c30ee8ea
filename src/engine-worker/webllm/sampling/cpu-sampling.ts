import { adjustLogits } from './adjust-logits.ts';
import { areFunctions } from '../extensions/are-functions.ts';
import { logitsCopier, type Logits, type LogitsCopy, type ReadablePipeline } from './logits-readback.ts';
import type { EngineLogprob } from '../answer/token-logprobs.ts';
import { TokenDistribution } from './token-distribution.ts';

/**
 * Tokens in a vocabulary up to which the logits are always read back to be sampled here: 64 kB. Beyond it they are only
 * where probabilities are asked for, which WebLLM reads back anyway.
 */
const SMALL_VOCABULARY = 2 ** 14;

/** Below any temperature that a request may have but 0, which WebLLM takes for this. */
const LEAST_TEMPERATURE = 1e-6;

/** Below this WebLLM samples as if `top_p` were this. */
const LEAST_TOP_P = 1e-5;

/** How a request wants its tokens sampled, by WebLLM's names. What is not said is as the model's configuration says. */
interface SamplingConfig {
  readonly temperature?: number | null;
  readonly top_p?: number | null;
  readonly presence_penalty?: number | null;
  readonly frequency_penalty?: number | null;
  readonly repetition_penalty?: number | null;
  readonly logit_bias?: Readonly<Record<string, number>> | null;
  readonly logprobs?: boolean | null;
  readonly top_logprobs?: number | null;
  readonly response_format?: unknown;
  readonly max_tokens?: number | null;
}

type PrefillRequest = [input: unknown, role: unknown, roleName: unknown, config?: SamplingConfig];

interface Runtime {
  /** Numbers from 0 up to, but not, 1, after the seed of the request. */
  readonly rng?: { randomFloat(): number };
}

interface Tokenizer {
  decode?(ids: Int32Array): string;
}

/** The part of WebLLM's object for a loaded model that is used or changed here. */
export interface SamplingPipeline {
  /** Chooses the next token by its logits, which are on the graphics device. */
  sampleFromRawLogits?(logits: Logits, config?: SamplingConfig): Promise<number>;
  /** Feeds a prompt to the model; WebLLM waits for the device before it samples of the logits that it gives. */
  forwardPrefill?(...request: PrefillRequest): Promise<{ readonly logits: Logits }>;
  /** Feeds a token of the answer to the model. */
  forwardDecodeToken?(token: number): Promise<Logits>;
  isGrammarConstrained?(format: unknown): boolean;
  readonly tvm?: Runtime & ReadablePipeline['tvm'];
  readonly tokenizer?: Tokenizer;
  readonly config?: SamplingConfig;
  readonly fullVocabSize?: number;
  /** Absent before the first request with a grammar. */
  readonly grammarMatcher?: { getNextTokenBitmask(): Promise<Int32Array> } | undefined;
  /** Something of the caller that changes logits; this project has none. */
  readonly logitProcessor?: unknown;
  /** How often the answer has each of its tokens. */
  readonly appearedTokensFreq?: ReadonlyMap<number, number>;
  readonly tokenLogprobArray?: EngineLogprob[];
}

type CompletePipeline = Required<Omit<SamplingPipeline, 'grammarMatcher' | 'logitProcessor'>> &
  SamplingPipeline & { readonly tvm: Required<Runtime>; readonly tokenizer: Required<Tokenizer> };

/**
 * Samples on the CPU where that is faster. For each token WebLLM has the graphics device compute all probabilities and
 * sort them, uploads mask, biases and penalties in tensors made anew, which each submits what was recorded before, and
 * with `logprobs` reads all probabilities back on top. Here the logits are read back instead, and while the device still
 * computes them, the grammar tells which tokens may come.
 *
 * @param sameDraws Whether the model library is known to draw the same tokens from the same random numbers. One that TVM
 * compiled did not; of such only the likeliest token is taken here, and only where probabilities are asked for.
 * @returns takes the number of alternatives that the next request wants for each token, since WebLLM refuses more than
 * five. Null where WebLLM keeps these things elsewhere; then nothing is changed.
 */
export function sampleOnCpu(pipeline: SamplingPipeline, sameDraws: boolean): ((alternatives: number) => void) | null {
  const copyLogits = logitsCopier(pipeline);
  if (!copyLogits || !isComplete(pipeline)) return null;
  let wanted = 0;
  const original = pipeline.sampleFromRawLogits.bind(pipeline);
  const small = pipeline.fullVocabSize <= SMALL_VOCABULARY;
  const texts = new TokenTexts(pipeline.tokenizer);
  const alternativesOf = ({ logprobs, top_logprobs }: SamplingConfig) =>
    logprobs ? Math.max(top_logprobs ?? 0, wanted) : 0;
  const topPOf = ({ top_p }: SamplingConfig) => Math.max(top_p ?? pipeline.config.top_p ?? 1, LEAST_TOP_P);
  const isSampledHere = (logits: Logits, config: SamplingConfig) => {
    const alternatives = alternativesOf(config);
    const here = sameDraws ? small || alternatives > 0 : alternatives > 0 && topPOf(config) === LEAST_TOP_P;
    return here && logits.dtype === 'float32' && pipeline.logitProcessor === undefined;
  };
  /** How the answer that is being written wants its tokens sampled. */
  let asked: SamplingConfig = {};
  let early: LogitsCopy | null = null;
  const forwardPrefill = pipeline.forwardPrefill.bind(pipeline);
  const forwardToken = pipeline.forwardDecodeToken.bind(pipeline);
  const copyEarly = (logits: Logits) => {
    early = isSampledHere(logits, asked) ? copyLogits(logits) : null;
  };
  pipeline.forwardPrefill = async (...request) => {
    const read = await forwardPrefill(...request);
    asked = request[3] ?? {};
    // While WebLLM waits for the device: else it would be waited for twice.
    copyEarly(read.logits);
    return read;
  };
  pipeline.forwardDecodeToken = async (token) => {
    const logits = await forwardToken(token);
    copyEarly(logits);
    return logits;
  };
  pipeline.sampleFromRawLogits = async (logits, config = {}) => {
    if (!isSampledHere(logits, config)) return original(logits, config);
    const copy = early?.logits === logits ? early : copyLogits(logits);
    early = null;
    const values = await readLogits(pipeline, copy, config);
    const alternatives = alternativesOf(config);
    const temperature = Math.max(config.temperature ?? pipeline.config.temperature ?? 1, LEAST_TEMPERATURE);
    const distribution = new TokenDistribution(values, temperature);
    // WebLLM hands the number to the device in single precision.
    const token = distribution.sample(topPOf(config), Math.fround(pipeline.tvm.rng.randomFloat()));
    if (alternatives > 0) {
      const entry = (id: number) => ({ token: texts.of(id), logprob: distribution.logprob(id) });
      const top_logprobs = distribution.mostLikely(alternatives).map(entry);
      pipeline.tokenLogprobArray.push({ ...entry(token), top_logprobs });
    }
    return token;
  };
  return (alternatives) => {
    wanted = alternatives;
  };
}

/** Waits for the logits, and applies to them in WebLLM's order what the request says. */
async function readLogits(pipeline: CompletePipeline, copy: LogitsCopy, config: SamplingConfig): Promise<Float32Array> {
  const constrained = pipeline.isGrammarConstrained(config.response_format);
  if (constrained && pipeline.grammarMatcher === undefined) throw new Error('There is no grammar to follow.');
  const mask = constrained ? await pipeline.grammarMatcher?.getNextTokenBitmask() : undefined;
  const values = await copy.values();
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

/** The text of each token by itself, decoded once. */
class TokenTexts {
  readonly #tokenizer: CompletePipeline['tokenizer'];
  readonly #texts = new Map<number, string>();

  constructor(tokenizer: CompletePipeline['tokenizer']) {
    this.#tokenizer = tokenizer;
  }

  of(id: number): string {
    let text = this.#texts.get(id);
    if (text === undefined) this.#texts.set(id, (text = this.#tokenizer.decode(Int32Array.of(id))));
    return text;
  }
}

function isComplete(pipeline: SamplingPipeline): pipeline is CompletePipeline {
  const { sampleFromRawLogits, forwardPrefill, forwardDecodeToken, isGrammarConstrained, tvm, tokenizer } = pipeline;
  return (
    areFunctions(
      sampleFromRawLogits,
      forwardPrefill,
      forwardDecodeToken,
      isGrammarConstrained,
      tvm?.rng?.randomFloat,
      tokenizer?.decode,
    ) &&
    pipeline.fullVocabSize !== undefined &&
    pipeline.config !== undefined &&
    pipeline.appearedTokensFreq instanceof Map &&
    Array.isArray(pipeline.tokenLogprobArray)
  );
}
