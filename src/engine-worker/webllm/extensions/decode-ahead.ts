import { areFunctions } from './are-functions.ts';

/** What the model says of the next token, on the graphics device. */
interface Logits {
  dispose(): void;
}

interface SampledStep {
  readonly tokenId: number;
  /** Whether the token follows the prompt or another token. */
  readonly source?: 'prefill' | 'decode';
}

interface GenerationConfig {
  readonly max_tokens?: number | null;
  readonly ignore_eos?: boolean | null;
}

/** WebLLM's runtime for the graphics device. */
interface DeviceContext {
  /** Submits what is recorded. */
  flushCommands?(): void;
}

/** The part of WebLLM's object for a loaded model that is used or changed here. */
export interface AheadPipeline {
  /** Feeds a token of the answer to the model. What it returns lives until it is disposed of. */
  forwardDecodeToken?(token: number): Promise<Logits>;
  /** Chooses the next token of the answer. */
  sampleDecodeStep?(config: GenerationConfig | undefined, options?: unknown): Promise<SampledStep>;
  /** Adds a token to the answer, and tells whether the answer ends with it. */
  commitSampledStep?(step: SampledStep, config: GenerationConfig | undefined): unknown;
  /** The part of it that looks for the end; `length` is how many positions the model has computed. */
  processNextToken?(token: number, config: unknown, length?: number): void;
  /** Ends the answer. */
  triggerStop?(): void;
  readonly tvm?: { readonly lib?: { readonly webGPUContext?: DeviceContext } };
  readonly stopTokens?: readonly number[];
  readonly stopTriggered?: boolean;
  readonly outputIds?: readonly number[];
  readonly contextWindowSize?: number;
  readonly filledKVCacheLength?: number;
  /** Set for models with a manifest, which take another way. */
  readonly artifact?: unknown;
}

/** A token that the device was given before it was added to the answer. */
interface Begun {
  readonly token: number;
  readonly logits: Promise<Logits>;
  /** Positions computed when it was chosen. */
  readonly computed: number;
}

/**
 * Gives the device its next token as soon as that is chosen. WebLLM first turns the token into text, looks for the end of
 * the answer, and waits until somebody has taken the text; the device has nothing to do meanwhile. Here it computes what
 * follows, unless the token is known to be the last. Where the answer ends all the same, one token too many was fed, which
 * the next prompt takes back with the others that it does not begin with.
 *
 * The first token is what somebody waits for: it goes out before the device is busy again.
 *
 * @returns whether WebLLM keeps these things where they are looked for; if not, nothing is changed.
 */
export function decodeAhead(pipeline: AheadPipeline): boolean {
  if (!isComplete(pipeline)) return false;
  const forward = pipeline.forwardDecodeToken.bind(pipeline);
  const sample = pipeline.sampleDecodeStep.bind(pipeline);
  const commit = pipeline.commitSampledStep.bind(pipeline);
  const process = pipeline.processNextToken.bind(pipeline);
  const stop = pipeline.triggerStop.bind(pipeline);
  const context = pipeline.tvm.lib.webGPUContext;
  let begun: Begun | null = null;

  const giveUp = () => {
    const given = begun;
    begun = null;
    given?.logits.then((logits) => logits.dispose(), ignored);
  };

  const begin = async (token: number) => {
    const { filledKVCacheLength: computed } = pipeline;
    const logits = forward(token);
    begun = { token, logits, computed };
    // Whoever waits for it hears of a failure.
    await logits.catch(ignored);
    context.flushCommands();
  };

  pipeline.sampleDecodeStep = async (config, options) => {
    const step = await sample(config, options);
    giveUp();
    if (mayContinue(pipeline, step.tokenId, config)) await begin(step.tokenId);
    return step;
  };
  pipeline.commitSampledStep = (step, config) => {
    if (step.tokenId !== begun?.token || step.source !== 'decode') giveUp();
    const committed = commit(step, config);
    if (pipeline.stopTriggered) giveUp();
    return committed;
  };
  pipeline.processNextToken = (token, config, length) => process(token, config, begun?.computed ?? length);
  pipeline.forwardDecodeToken = async (token) => {
    if (begun?.token === token) {
      const { logits } = begun;
      begun = null;
      return logits;
    }
    giveUp();
    return forward(token);
  };
  pipeline.triggerStop = () => {
    stop();
    giveUp();
  };
  return true;
}

function ignored(): void {}

function mayContinue(pipeline: CompletePipeline, token: number, config: GenerationConfig | undefined): boolean {
  const { stopTokens, outputIds, contextWindowSize } = pipeline;
  return (
    (config?.ignore_eos === true || !stopTokens.includes(token)) &&
    outputIds.length + 1 < (config?.max_tokens ?? Number.POSITIVE_INFINITY) &&
    pipeline.filledKVCacheLength < contextWindowSize
  );
}

type CompletePipeline = Required<Omit<AheadPipeline, 'artifact' | 'tvm'>> & {
  readonly tvm: {
    readonly lib: { readonly webGPUContext: Required<Pick<DeviceContext, 'flushCommands'>> & DeviceContext };
  };
};

function isComplete(pipeline: AheadPipeline): pipeline is CompletePipeline {
  const { forwardDecodeToken, sampleDecodeStep, commitSampledStep, processNextToken, triggerStop, tvm, artifact } =
    pipeline;
  const { flushCommands } = tvm?.lib?.webGPUContext ?? {};
  return (
    artifact === undefined &&
    areFunctions(
      forwardDecodeToken,
      sampleDecodeStep,
      commitSampledStep,
      processNextToken,
      triggerStop,
      flushCommands,
    ) &&
    Array.isArray(pipeline.stopTokens) &&
    Array.isArray(pipeline.outputIds) &&
    pipeline.stopTriggered !== undefined &&
    pipeline.contextWindowSize !== undefined &&
    pipeline.filledKVCacheLength !== undefined
  );
}
