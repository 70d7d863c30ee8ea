/** A prompt, or a chunk of one: runs of token ids, with images between them. */
export type PromptData = readonly unknown[];

/**
 * Stands for a token that only the GPU knows so far, in the data of a forward pass. No token has this id, so no prompt
 * has it in common with the KV cache.
 */
export const ON_GPU = -1;

/** Scores of all tokens for the next position, on the GPU. */
export interface Logits {
  readonly dtype?: string;
  readonly shape?: readonly number[];
  /** Offset of the scores in their GPU buffer, in bytes. */
  readonly byteOffset?: number;
  /** Pointer to the GPU buffer, for {@link DeviceContext.gpuBufferFromPtr}. */
  getDataPtr?(): number;
  /** Returns the same scores in another shape. */
  view(shape: readonly number[]): Tensor;
  dispose(): void;
}

/** A tensor on the GPU, or in the model library's memory. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly byteOffset: number;
  /** Pointer to the GPU buffer, for {@link DeviceContext.gpuBufferFromPtr}. */
  getDataPtr(): number;
  view(shape: readonly number[]): Tensor;
  copyFrom(source: Tensor | Float32Array | Int32Array): unknown;
  toRawBytes(): Uint8Array;
  dispose(): void;
}

/** A copy of a KV cache in main memory. Only WebLLM knows its layout. */
export interface Checkpoint {
  readonly pageGroups: readonly { readonly data: Uint8Array }[];
}

/** Sampling parameters of a request. Undefined and null mean the default in the model's configuration. */
export interface GenerationConfig {
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
  readonly ignore_eos?: boolean | null;
}

interface SampledStep {
  readonly tokenId: number;
  /** Whether the token was sampled after the prompt or after another token of the answer. */
  readonly source?: 'prefill' | 'decode';
}

/** A token with its log-probability and its alternatives. */
export interface EngineLogprob extends EngineTopLogprob {
  readonly top_logprobs: readonly EngineTopLogprob[];
}

interface EngineTopLogprob {
  readonly token: string;
  readonly logprob: number;
  /**
   * UTF-8 bytes. WebLLM's own entries have the bytes of the token's text, in which an incomplete character is U+FFFD.
   */
  readonly bytes?: readonly number[];
}

/** The tokenizer of a model, as WebLLM bundles it. */
export interface PipelineTokenizer {
  encode(text: string): ArrayLike<number>;
  decode(tokens: Int32Array): string;
  /** The token as the vocabulary spells it. */
  idToToken(id: number): string;
}

/** What a grammar allows after the answer so far. */
export interface GrammarMatcher {
  /** Returns the allowed next tokens: one bit per token id, lowest id first. */
  getNextTokenBitmask(): Promise<Int32Array>;
  /** Moves behind a token. Returns false, and moves nowhere, if the grammar does not allow it. */
  acceptToken(token: number): boolean;
  /** Moves back by a number of tokens. */
  rollBack(count: number): void;
  /** Returns the text that must follow; empty if there is a choice. */
  findJumpForwardString(): string;
}

/** WebLLM's runtime for WebGPU (`WebGPUContext`). */
export interface DeviceContext {
  readonly device: GPUDevice;
  gpuBufferFromPtr(pointer: number): GPUBuffer;
  /** Submits the encoded commands. */
  flushCommands(): void;
  /**
   * Submits the encoded commands. Settles when the GPU has executed them; if the last command is a copy to the CPU,
   * when that copy is done.
   */
  sync(): Promise<void>;
  /** Number of dispatches since the last submit. It chooses the uniform buffer of the next dispatch. */
  pendingDispatchCount: number;
  /** Encoder of the commands that have not been submitted; null if there are none. */
  pendingEncoder: GPUCommandEncoder | null;
  /** The copies to the CPU that `sync` waits for; null if there are none. */
  pendingGPUToCPUCopy: Promise<unknown> | null;
  /** Whether a copy to the CPU is the last command in the queue. */
  pendingGPUToCPUCopyIsQueueTail: boolean;
}

/** The methods that extensions may replace, by their paths from WebLLM's object. */
export interface Methods {
  /** Runs the model on a chunk of a prompt, or on one token of the answer. `length` counts tokens. */
  embedAndForward(data: PromptData, length: number): Promise<Logits>;
  /** Returns the prompt of a request: its data, its length in tokens, and the tokens per image. */
  getInputData(): Promise<readonly [data: PromptData, length: number, imageSize: unknown]>;
  /** Prefills a prompt. WebLLM then waits for the GPU and samples from the logits. */
  forwardPrefill(
    input: unknown,
    role: unknown,
    roleName: unknown,
    config?: GenerationConfig,
  ): Promise<{ readonly logits: Logits }>;
  /** Runs the model on a token of the answer. The logits stay allocated until they are disposed of. */
  forwardDecodeToken(token: number): Promise<Logits>;
  /** Looks up the embeddings of tokens. */
  getTokensEmbeddings(tokens: readonly number[]): Tensor;
  /** Samples the next token of the answer. */
  sampleDecodeStep(config: GenerationConfig | undefined, options?: unknown): Promise<SampledStep>;
  sampleFromRawLogits(logits: Logits, config?: GenerationConfig): Promise<number>;
  /** Adds a token to the answer, and sets `stopTriggered` if this token ends the answer. */
  commitSampledStep(step: SampledStep, config: GenerationConfig | undefined): unknown;
  /**
   * The part of {@link commitSampledStep} that detects the end of the answer. `length` counts the positions that the
   * model has computed.
   */
  processNextToken(token: number, config: unknown, length?: number): void;
  /** Ends the answer. */
  triggerStop(): void;
  /** Empties the KV cache. WebLLM calls it before every prompt that does not continue the last one. */
  resetKVCache(): void;
  /** Starts to compile a request's grammar, concurrently with the prefill of its prompt. */
  prepareGrammarMatcherForSampling(config: unknown): Promise<void> | undefined;
  /** Reads a tensor back into memory, for a {@link Checkpoint}. */
  copyTensorToCPUBytes(tensor: Tensor): Promise<Uint8Array>;
  /** Frees the model. */
  dispose(): void;
  'tokenizer.encode': PipelineTokenizer['encode'];
  'tokenizer.decode': PipelineTokenizer['decode'];
  'tvm.lib.webGPUContext.sync': DeviceContext['sync'];
  /** Frees everything that the engine has loaded. WebLLM also calls it when the GPU device is lost. */
  'engine.unload': () => Promise<void>;
}

type OwnMethods = {
  [Name in keyof Methods as Name extends `${string}.${string}` ? never : Name]: Methods[Name];
};

/**
 * The members of WebLLM's object for a loaded model that extensions use. In WebLLM 0.2.86 its class is
 * `LLMChatPipeline`.
 */
export interface WebLlmPipeline extends OwnMethods {
  /** Functions of the model library; they run on the GPU. */
  embed(tokens: Tensor, parameters: unknown): Tensor;
  fapplyBitmask(logits: Tensor, rows: Tensor, mask: Tensor): unknown;
  fapplyLogitBias(logits: Tensor, ...bias: readonly Tensor[]): unknown;
  fsoftmaxWithTemperature(logits: Tensor, temperature: Tensor): Tensor;
  /** Returns the sorted probabilities and their tokens. */
  fargsortProbs(probabilities: Tensor): { get(index: number): Tensor };
  fsampleWithTopP(sorted: Tensor, tokens: Tensor, random: Tensor, rows: Tensor, topP: Tensor): Tensor;
  /** The number 0, int32 [1]. */
  readonly sampleIndicesDevice: Tensor;
  /** The model's weights. */
  readonly params: unknown;
  /** Adds a token to the answer, without the record that WebLLM's resumable generation needs. */
  commitSampledToken(id: number, config: unknown, source: unknown): unknown;
  isGrammarConstrained(format: unknown): boolean;
  /** Looks up a global function of the model library. Throws if there is none with this name. */
  getKVCheckpointFunc(name: string): (...values: readonly unknown[]) => unknown;
  /**
   * Copies the KV cache to main memory; undefined if the model has none. Throws if the model library lacks the functions
   * for it, which only some libraries have.
   */
  exportPromptCheckpoint(logits: undefined, storeLogits: false): Promise<Checkpoint | undefined>;
  /** Restores a checkpoint into an empty KV cache. */
  importPromptCheckpoint(checkpoint: Checkpoint): Promise<void>;
  /** Starts to copy logits to the CPU; they can be read after `device.sync()`. */
  updateLogitsOnCPU(logits: Logits): { toArray(): ArrayLike<number> };
  /** Returns the number of tokens that an image of this size takes, without markers. */
  computeImageEmbedSize(height: number, width: number): number;
  stopTokens: readonly number[];
  readonly stopTriggered: boolean;
  /** The tokens of the answer so far. */
  readonly outputIds: readonly number[];
  contextWindowSize: number;
  /** −1 if the model attends to its whole context. */
  readonly slidingWindowSize: number;
  /** Number of filled positions in the KV cache, which is also the position of the next token. */
  filledKVCacheLength: number;
  readonly kvCache: unknown;
  readonly kvStateKind: string;
  readonly fullVocabSize: number;
  readonly config: GenerationConfig & {
    readonly model_type?: string;
    readonly model_config?: Readonly<Partial<Record<string, number>>>;
  };
  /** How often each token occurs in the answer. */
  readonly appearedTokensFreq: ReadonlyMap<number, number>;
  readonly tokenLogprobArray: EngineLogprob[];
  /** Undefined before the first request with a grammar. */
  readonly grammarMatcher?: GrammarMatcher | undefined;
  /** A function of the caller that changes logits. Tabserve sets none. */
  readonly logitProcessor?: unknown;
  /** Set for models with a manifest, which process prompts by other methods. */
  readonly artifact?: {
    readonly imageInput?: {
      readonly processor: { readonly num_embeddings: number };
      readonly prompt: { readonly prefix_token_ids: readonly number[]; readonly suffix_token_ids: readonly number[] };
    };
  };
  readonly tokenizer: PipelineTokenizer;
  readonly device: { sync(): Promise<void> };
  readonly tvm: {
    beginScope(): void;
    endScope(): void;
    /** Returns a number that the model library receives as a value of this type. */
    scalar(value: number, type: string): unknown;
    empty(shape: readonly number[], dtype: string, device: unknown): Tensor;
    cpu(): unknown;
    /** Seeds the random number generator, as WebLLM does for a request with a seed. The seed is a positive integer. */
    setSeed(seed: number): void;
    /** Removes a tensor from the current scope, which disposes of all its tensors when it ends. */
    detachFromCurrentScope<Kept extends Tensor | Logits>(tensor: Kept): Kept;
    attachToCurrentScope(tensor: Tensor): Tensor;
    /** Random numbers in [0, 1), from the request's seed. */
    readonly rng: { randomFloat(): number };
    readonly lib: { readonly webGPUContext: DeviceContext };
  };
}

/** The kind of value that a member must have. `set`: the property exists, with any value. */
type MemberKind = 'function' | 'number' | 'boolean' | 'string' | 'array' | 'map' | 'object' | 'set';

/** Every member of WebLLM's objects that an extension needs, by its path. */
export const MEMBERS = {
  'engine.unload': 'function',
  appearedTokensFreq: 'map',
  commitSampledStep: 'function',
  commitSampledToken: 'function',
  computeImageEmbedSize: 'function',
  config: 'object',
  contextWindowSize: 'number',
  copyTensorToCPUBytes: 'function',
  'device.sync': 'function',
  dispose: 'function',
  embed: 'function',
  embedAndForward: 'function',
  embedStep: 'function',
  exportPromptCheckpoint: 'function',
  fapplyBitmask: 'function',
  fapplyLogitBias: 'function',
  fargsortProbs: 'function',
  filledKVCacheLength: 'number',
  forwardDecodeToken: 'function',
  forwardPrefill: 'function',
  fsampleWithTopP: 'function',
  fsoftmaxWithTemperature: 'function',
  fullVocabSize: 'number',
  getInputData: 'function',
  getKVCheckpointFunc: 'function',
  getTokensEmbeddings: 'function',
  importPromptCheckpoint: 'function',
  isGrammarConstrained: 'function',
  kvCache: 'object',
  kvStateKind: 'string',
  outputIds: 'array',
  params: 'object',
  prepareGrammarMatcherForSampling: 'function',
  processNextToken: 'function',
  resetKVCache: 'function',
  sampleDecodeStep: 'function',
  sampleFromRawLogits: 'function',
  sampleIndicesDevice: 'object',
  slidingWindowSize: 'number',
  stopTokens: 'array',
  stopTriggered: 'boolean',
  'tokenizer.decode': 'function',
  'tokenizer.encode': 'function',
  'tokenizer.idToToken': 'function',
  tokenLogprobArray: 'array',
  triggerStop: 'function',
  'tvm.attachToCurrentScope': 'function',
  'tvm.beginScope': 'function',
  'tvm.cpu': 'function',
  'tvm.detachFromCurrentScope': 'function',
  'tvm.empty': 'function',
  'tvm.endScope': 'function',
  'tvm.lib.webGPUContext.device': 'object',
  'tvm.lib.webGPUContext.flushCommands': 'function',
  'tvm.lib.webGPUContext.gpuBufferFromPtr': 'function',
  'tvm.lib.webGPUContext.pendingDispatchCount': 'number',
  'tvm.lib.webGPUContext.pendingEncoder': 'set',
  'tvm.lib.webGPUContext.pendingGPUToCPUCopy': 'set',
  'tvm.lib.webGPUContext.pendingGPUToCPUCopyIsQueueTail': 'boolean',
  'tvm.lib.webGPUContext.sync': 'function',
  'tvm.rng.randomFloat': 'function',
  'tvm.scalar': 'function',
  'tvm.setSeed': 'function',
  updateLogitsOnCPU: 'function',
} as const satisfies Readonly<Record<string, MemberKind>>;

export type Member = keyof typeof MEMBERS;

/** Returns the members that `object` lacks, or has with another kind of value. */
export function missingMembers(object: object, members: readonly Member[]): Member[] {
  return members.filter((member) => {
    const { owner, name } = locate(object, member);
    return owner === null || !(name in owner) || !isOfKind(MEMBERS[member], Reflect.get(owner, name));
  });
}

/**
 * Splits a path such as `tvm.lib.sync` into the object that should have the member, and the member's name. `owner` is null
 * if the path leads to no object.
 */
export function locate(object: object, path: string): { readonly owner: object | null; readonly name: string } {
  const parts = path.split('.');
  const name = parts.pop() ?? '';
  let owner: unknown = object;
  for (const part of parts) owner = isObject(owner) ? Reflect.get(owner, part) : null;
  return { owner: isObject(owner) ? owner : null, name };
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function isOfKind(kind: MemberKind, value: unknown): boolean {
  if (kind === 'set') return true;
  if (kind === 'array') return Array.isArray(value);
  if (kind === 'map') return value instanceof Map;
  if (kind === 'object') return isObject(value);
  return typeof value === kind;
}
