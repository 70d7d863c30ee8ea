import { DeviceContext } from './device-context.ts';
import type { RealWebLlm } from './real-webllm.ts';
import type { ScriptToken, TestTokenizer } from './test-tokenizer.ts';

/** The input and steps of one generation. */
export interface Run {
  /** The prompt, with control tokens in guillemets. */
  prompt: string;
  promptTokens: number;
  /** The seed that was set when the first token was sampled. */
  seed: number | null;
  /** WebLLM's configuration of the request. */
  config: Record<string, unknown>;
  /** Number of decode steps. */
  steps: number;
}

interface ScriptedSample {
  readonly run: Run;
  /** Number of tokens in the answer before this one. */
  readonly position: number;
  /** The tokens of the answer so far. */
  readonly answer: readonly number[];
  /** All tokens of prompt and answer so far. */
  readonly context: readonly number[];
  /** Whether the grammar, if any, allows this token next. */
  allows(token: number): boolean;
}

/** Returns the next token. */
export type Sampler = (sample: ScriptedSample) => number | Promise<number>;

export interface PipelineOptions {
  readonly tokenizer: TestTokenizer;
  readonly sampler: Sampler;
  /**
   * The logits of all tokens at each position; then the adapter samples on the CPU, and `sampler` is not used. Null
   * for a model that samples by `sampler`.
   */
  readonly logits: readonly number[] | null;
  /** Whether the runtime has a generator of random numbers, which sampling outside the library needs. */
  readonly random: boolean;
  readonly runs: Run[];
  /** Natural logarithm of the probability of each sampled token. Default: −0.5. */
  readonly logprob: (token: number) => number;
  /** Whether the model accepts images. An image is represented by its address in brackets. */
  readonly images: boolean;
  /** Whether the library can remove tokens from the end of its KV cache. */
  readonly popn: boolean;
  /** Whether the library can save and restore its KV cache, four bytes per token. */
  readonly checkpoints: boolean;
  /** Bytes per token that the library reports. */
  readonly saidBytes: number;
  /** Whether a prompt prefilled in several parts gives the same result. */
  readonly reuses: boolean;
  /** Called before every forward pass of the check of the library's abilities. */
  readonly onCheck: () => void;
  /** Called when the KV cache is saved. */
  readonly onSave: () => unknown;
  /** Called when a scope of tensors begins. */
  readonly onScope: () => void;
  /** Awaited before a copy of the KV cache is complete. */
  readonly copying: () => Promise<unknown>;
  /** Called before every forward pass. It can simulate a slow or lost GPU. */
  readonly onForward: (kind: 'prefill' | 'decode', tokens: number) => Promise<void>;
}

/* The following members have WebLLM's names. */
interface ImageInput {
  readonly url: string;
}

interface Pipeline {
  [member: string]: unknown;
  grammarMatcher?: { getNextTokenBitmask(): Promise<Int32Array> };
  filledKVCacheLength: number;
  outputIds: number[];
  copyTensorToCPUBytes(tensor: object): Promise<Uint8Array>;
  tokenLogprobArray: unknown[];
}

function nothing(): void {}

/**
 * Functions and objects that a model on a GPU has, so that the extensions that need them are on. A scripted model calls
 * none of them, because its logits have no data type.
 */
const UNUSED_FUNCTIONS = {
  embed: nothing,
  fapplyBitmask: nothing,
  fapplyLogitBias: nothing,
  fargsortProbs: nothing,
  fsampleWithTopP: nothing,
  fsoftmaxWithTemperature: nothing,
};
const UNUSED_CONTEXT = {
  device: {},
  flushCommands: nothing,
  gpuBufferFromPtr: nothing,
  pendingEncoder: null,
  pendingGPUToCPUCopy: null,
  pendingGPUToCPUCopyIsQueueTail: false,
  sync: async () => {},
};

function logprobOf(token: string, logprob: number) {
  return { token, bytes: [...new TextEncoder().encode(token)], logprob };
}

/** WebLLM's pipeline without a GPU: its real prototype, with a scripted forward pass and sampling kernel. */
export function scriptedPipeline(
  { LLMChatPipeline, Conversation }: RealWebLlm,
  config: Record<string, unknown>,
  {
    tokenizer,
    sampler,
    logits,
    random: hasRandom,
    runs,
    logprob,
    onForward,
    images,
    popn,
    checkpoints,
    saidBytes,
    reuses,
    onCheck,
    onSave,
    onScope,
    copying,
  }: PipelineOptions,
): object {
  const vocabularySize = tokenizer.getVocabSize();
  const pipeline = Object.create(LLMChatPipeline.prototype) as Pipeline;
  const conversation = new Conversation({
    ...(config['conv_template'] as object),
    ...(config['conv_config'] as object),
  }) as { getStopStr(): string[]; getStopTokens(): number[] };
  const device = logits === null ? null : new DeviceContext();
  let seed: number | null = null;
  let random = 1;
  let fed: number[] = [];
  let sampled = 0;
  const reads: (() => void)[] = [];
  /** False from the start of a generation to its first forward pass. */
  let begun = true;
  const prototype = LLMChatPipeline.prototype as { samplePrefillStep(...values: unknown[]): Promise<unknown> };

  const forward = async (
    kind: 'prefill' | 'decode',
    data: readonly (readonly number[] | ImageInput)[],
    length: number,
  ) => {
    const cut = fed.length > 0 && length > 1 && !reuses ? 1 : 0;
    for (const part of data) fed.push(...('url' in part ? tokenizer.encode(`[${part.url}]`) : part));
    pipeline.filledKVCacheLength += length;
    if (kind === 'decode') runs.at(-1)!.steps++;
    const seen = fed.reduce((hash, token) => (hash * 31 + token + cut) % 65_521, 7);
    // Forward passes before the first generation belong to the check of the library.
    if (runs.length > 0) await onForward(kind, length);
    else onCheck();
    if (device !== null) return device.logits(logits!);
    return {
      dispose: nothing,
      toArray: () => Array.from({ length: vocabularySize }, (_, id) => (seen * (id + 1)) % 211),
    };
  };

  Object.assign(pipeline, {
    config,
    tokenizer,
    conversation,
    stopStr: conversation.getStopStr(),
    stopTokens: conversation.getStopTokens(),
    kvStateKind: 'kv_cache',
    grammarCompiler: undefined,
    fullVocabSize: vocabularySize,
    bitmaskSize: Math.ceil(vocabularySize / 32),
    token_postproc_method: 'byte_fallback',
    prepend_space_in_encode: false,
    contextWindowSize: config['context_window_size'],
    slidingWindowSize: -1,
    attentionSinkSize: -1,
    prefillChunkSize: config['prefill_chunk_size'] ?? 64,
    resetStatsPerPrefill: true,
    outputMessage: '',
    outputIds: [],
    stopTriggered: false,
    appearedTokensFreq: new Map(),
    imageDataCache: new Map(),
    artifactImagePixelCache: new Map(),
    tokenLogprobArray: [],
    filledKVCacheLength: 0,
    device: {
      async sync() {
        const queued = reads.splice(0);
        if (queued.length === 0) return;
        await copying();
        for (const read of queued) read();
      },
    },
    updateLogitsOnCPU: (logits: unknown) => logits,
    tvm: {
      lib: { webGPUContext: device ?? UNUSED_CONTEXT },
      // WebLLM's generator.
      ...(hasRandom && { rng: { randomFloat: () => (random = (random * 48_271) % 2_147_483_647) / 2_147_483_647 } }),
      attachToCurrentScope: nothing,
      beginScope: onScope,
      endScope: nothing,
      detachFromCurrentScope: (value: unknown) => value,
      getGlobalFunc: (name: string) => Object.assign(globalFunction(name), { dispose: nothing }),
      scalar: (value: number) => value,
      cpu: nothing,
      empty: () => memoryTensor(),
      setSeed(value: number) {
        if (!Number.isInteger(value) || value < 0) throw new Error('Seed should be an integer.');
        seed = value;
        random = value;
      },
    },
    kvCache: {},
    params: {},
    sampleIndicesDevice: {},
    ...UNUSED_FUNCTIONS,
    kvCheckpointFuncs: new Map(),
    resetKVCache() {
      fed = [];
    },
    samplePrefillStep(...values: unknown[]) {
      sampled = 0;
      begun = false;
      return prototype.samplePrefillStep.apply(pipeline, values);
    },
    ...(images ? { image_embed: nothing } : {}),
    async exportPromptCheckpoint() {
      if (!checkpoints) throw new Error('Cannot find a global function');
      await onSave();
      const data = await pipeline.copyTensorToCPUBytes({
        shape: [fed.length],
        dtype: 'int32',
        values: [...fed],
        dispose: nothing,
      });
      return { pageGroups: [{ data }] };
    },
    async importPromptCheckpoint({ pageGroups: [group] }: { pageGroups: readonly { data: Uint8Array }[] }) {
      fed = [...new Int32Array(group!.data.buffer)];
      pipeline.filledKVCacheLength = fed.length;
    },
    async embedAndForward(data: (number[] | ImageInput)[], length: number) {
      if (!begun) {
        begun = true;
        runs.push({ prompt: '', promptTokens: 0, seed, config: {}, steps: 0 });
      }
      return forward(sampled === 0 ? 'prefill' : 'decode', data, length);
    },
    async sampleFromRawLogits(_logits: unknown, generation: Record<string, unknown>) {
      // Greedy, because the check of the device's sampler fails here.
      if (logits !== null) return logits.indexOf(Math.max(...logits));
      const run = runs.at(-1);
      if (sampled === 0)
        Object.assign(run, { prompt: tokenizer.show(fed), promptTokens: fed.length, config: { ...generation } });
      const constrained = Boolean(generation['response_format']);
      const mask = constrained ? await pipeline.grammarMatcher?.getNextTokenBitmask() : undefined;
      const allows = (id: number) => mask === undefined || ((mask[id >> 5] ?? 0) & (1 << (id & 31))) !== 0;
      const { outputIds: answer } = pipeline;
      const token = await sampler({ run, position: answer.length, answer, context: fed, allows });
      sampled++;
      if (generation['logprobs'] && (generation['top_logprobs'] as number) > 0) {
        pipeline.tokenLogprobArray.push(logprobEntry(token, generation['top_logprobs'] as number));
      }
      return token;
    },
    dispose: nothing,
    sync: async () => {},
  });

  /**
   * A tensor in main memory. When it is first read, it gets the bytes that the GPU tensor had when the copy was queued.
   */
  function memoryTensor() {
    let bytes = new Uint8Array();
    return {
      copyFrom(source: { values: readonly number[] } | Float32Array) {
        // The check of sampling writes its logits into the tensor. The scripted sampler reads none.
        if (source instanceof Float32Array) return;
        const { values } = source;
        const queued = Int32Array.from(values);
        reads.push(() => void (bytes = new Uint8Array(queued.buffer)));
      },
      toRawBytes: () => bytes,
      dispose: nothing,
    };
  }

  function globalFunction(name: string) {
    if (name === 'vm.builtin.kv_state_popn' && popn)
      return (_cache: unknown, _sequence: number, count: number) => void fed.splice(fed.length - count);
    if (name === 'vm.builtin.attention_kv_cache_get_checkpoint_metadata' && checkpoints)
      return () => JSON.stringify({ groups: [{ shape: [fed.length, saidBytes], dtype: 'uint8' }] });
    throw new Error(`Cannot find global function ${name}`);
  }

  function logprobEntry(token: number, most: number) {
    const text = tokenizer.decode([token]);
    const others = Array.from({ length: most - 1 }, (_, index) => logprobOf(`other${index}`, -3 - index));
    return { ...logprobOf(text, logprob(token)), top_logprobs: [logprobOf(text, logprob(token)), ...others] };
  }
  return pipeline;
}

/**
 * A model that generates one reply per generation, repeating the last one, and then ends its turn. It also ends its
 * turn if the grammar forbids the reply.
 */
export function script(
  tokenizer: TestTokenizer,
  endOfTurn: number,
  replies: readonly (readonly ScriptToken[])[],
): Sampler {
  const order = new Map<Run, number>();
  return ({ run, answer, allows }) => {
    const index = order.get(run) ?? order.size;
    order.set(run, index);
    const token = nextOf(replies[Math.min(index, replies.length - 1)] ?? [], answer, tokenizer);
    return token !== undefined && allows(token) ? token : endOfTurn;
  };
}

/**
 * Returns the token that continues an answer to a reply. If tokens that a grammar forces end inside a token of the
 * reply, the rest of that token is written byte by byte. Undefined: the reply is complete.
 */
export function nextOf(
  reply: readonly ScriptToken[],
  answer: readonly number[],
  tokenizer: TestTokenizer,
): number | undefined {
  let left = tokenizer.bytes(answer).length;
  for (const token of reply) {
    const id = tokenizer.id(token);
    if (left === 0) return id;
    const bytes = tokenizer.bytes([id]);
    if (left < bytes.length) return bytes[left];
    left -= bytes.length;
  }
  return undefined;
}
