import type { GenerationConfig, Logits, Member, Tensor, WebLlmPipeline } from '../pipeline/webllm-pipeline.ts';
import { READBACK_MEMBERS, tensorReader } from './tensor-readback.ts';
import type { ArgMax } from './arg-max.ts';

/** Members of WebLLM's object that a {@link GpuSampler} needs. */
export const GPU_SAMPLER_MEMBERS = [
  ...READBACK_MEMBERS,
  'fapplyBitmask',
  'fapplyLogitBias',
  'fargsortProbs',
  'fsampleWithTopP',
  'fsoftmaxWithTemperature',
  'fullVocabSize',
  'sampleIndicesDevice',
  'tvm.beginScope',
  'tvm.detachFromCurrentScope',
  'tvm.empty',
  'tvm.endScope',
  'tvm.rng.randomFloat',
] as const satisfies readonly Member[];

/** Parameters of sampling, with all defaults filled in. */
export interface GpuSampling {
  /** Takes the most likely token. The other parameters except the bias then have no effect. */
  readonly greedy: boolean;
  /** Above 0. */
  readonly temperature: number;
  /** Above 0. */
  readonly topP: number;
  readonly bias: NonNullable<GenerationConfig['logit_bias']>;
  /** Whether each sample needs a mask of the tokens that a grammar allows. */
  readonly masked: boolean;
}

/**
 * Samples on the GPU as WebLLM does, by the same functions of the model library with the same random numbers. But it
 * uploads the parameters once a request instead of once a token, and the sampled token stays on the GPU, where the next
 * step can read it.
 */
export class GpuSampler {
  /** The last sampled token, int32 [1]. */
  readonly token: Tensor;
  readonly #pipeline: WebLlmPipeline;
  readonly #read: ReturnType<typeof tensorReader>;
  readonly #temperature: Tensor;
  readonly #topP: Tensor;
  readonly #random: Tensor;
  readonly #argMax: ArgMax | null;
  #greedy = false;
  /** The last mask; null before the first. */
  #mask: Tensor | null = null;
  /** Rows, tokens and values of the request's bias; empty without one. */
  #bias: readonly Tensor[] = [];

  /** @param argMax Searches the most likely token; null if no request is greedy. */
  constructor(pipeline: WebLlmPipeline, argMax: ArgMax | null) {
    this.#pipeline = pipeline;
    this.#argMax = argMax;
    this.#read = tensorReader(pipeline.tvm.lib.webGPUContext);
    this.token = this.#tensor('int32', [0]);
    this.#temperature = this.#tensor('float32', [1]);
    this.#topP = this.#tensor('float32', [1]);
    this.#random = this.#tensor('float32', [0]);
  }

  /** Sets the parameters of the next samples. */
  begin({ greedy, temperature, topP, bias }: GpuSampling): void {
    this.#greedy = greedy;
    this.#temperature.copyFrom(Float32Array.of(temperature));
    this.#topP.copyFrom(Float32Array.of(topP));
    for (const tensor of this.#bias) tensor.dispose();
    const tokens = Object.keys(bias).map(Number);
    this.#bias =
      tokens.length === 0
        ? []
        : [
            this.#tensor(
              'int32',
              tokens.map(() => 0),
            ),
            this.#tensor('int32', tokens),
            this.#tensor('float32', Object.values(bias)),
          ];
  }

  /**
   * Draws the random number of the next sample, unless that is greedy. Called before its step is encoded, because the
   * upload submits.
   */
  draw(): void {
    if (!this.#greedy) this.#random.copyFrom(Float32Array.of(this.#pipeline.tvm.rng.randomFloat()));
  }

  /**
   * Encodes a sample from these logits, which mask and bias change, and submits all pending commands.
   * @param mask Bitmask of the allowed tokens, one bit per token id, lowest id first. Default: all are allowed.
   * @returns the token, when the GPU has computed it; rejects if the device is lost or no token has any probability.
   */
  async sample(logits: Logits, mask?: Int32Array): Promise<number> {
    const pipeline = this.#pipeline;
    const { fullVocabSize: size, sampleIndicesDevice: row, tvm } = pipeline;
    let reading: Promise<ArrayBuffer>;
    tvm.beginScope();
    try {
      if (mask) pipeline.fapplyBitmask(logits.view([1, size]), row, this.#upload(mask).view([1, mask.length]));
      if (this.#bias.length > 0) pipeline.fapplyLogitBias(logits.view([1, size]), ...this.#bias);
      if (this.#greedy) this.#argMax?.encode(logits, this.token);
      else {
        const probabilities = pipeline.fsoftmaxWithTemperature(logits.view([1, 1, size]), this.#temperature);
        const sorted = pipeline.fargsortProbs(probabilities.view([1, size]));
        const [ranked, tokens] = [sorted.get(0), sorted.get(1)];
        this.token.copyFrom(pipeline.fsampleWithTopP(ranked, tokens, this.#random, row, this.#topP));
      }
      reading = this.#read(this.token);
    } finally {
      tvm.endScope();
    }
    const [token = -1] = new Int32Array(await reading);
    if (token < 0) throw new Error('The model gives no token any probability.');
    return token;
  }

  #upload(mask: Int32Array): Tensor {
    if (this.#mask) this.#mask.copyFrom(mask);
    else this.#mask = this.#tensor('int32', mask);
    return this.#mask;
  }

  #tensor(dtype: 'int32' | 'float32', values: ArrayLike<number>): Tensor {
    const { device, tvm } = this.#pipeline;
    tvm.beginScope();
    try {
      const tensor = tvm.detachFromCurrentScope(tvm.empty([values.length], dtype, device));
      tensor.copyFrom(dtype === 'int32' ? Int32Array.from(values) : Float32Array.from(values));
      return tensor;
    } finally {
      tvm.endScope();
    }
  }
}
