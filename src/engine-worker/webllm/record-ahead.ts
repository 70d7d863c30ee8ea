import { areFunctions } from './are-functions.ts';
import { onlyTokens, positionPopper, type CachedPipeline, type PromptData } from './key-value-cache.ts';

/** Any token: stands for the one that is not known yet. */
const PLACEHOLDER = 0;

/** What the model says of the next token, on the graphics device. */
interface Logits {
  dispose(): void;
}

/** What WebLLM's runtime has recorded for the device and not submitted yet. */
interface LaunchContext {
  readonly device?: { readonly queue: Pick<GPUQueue, 'writeBuffer'> };
  /** Null where nothing is recorded. */
  pendingEncoder?: object | null;
  /** How many launches are. */
  pendingDispatchCount?: number;
}

/** The part of WebLLM's object for a loaded model that is used or changed here. */
export interface RecordingPipeline extends Pick<
  CachedPipeline,
  'getKVCheckpointFunc' | 'kvCache' | 'filledKVCacheLength'
> {
  /** Feeds a chunk of a prompt, or one token that was decoded, to the model. */
  embedAndForward?(data: PromptData, length: number): Promise<Logits>;
  /** Begins anew, for another prompt. */
  resetChat?(keepStats?: boolean): void;
  /** The tokens of the answer so far. */
  readonly outputIds?: readonly number[];
  readonly contextWindowSize?: number;
  readonly tvm?: {
    beginScope(): void;
    endScope(): void;
    scalar?(value: number, type: string): unknown;
    /** Keeps from being disposed of at the scope's end, or not any longer. */
    detachFromCurrentScope?(logits: Logits): Logits;
    attachToCurrentScope?(logits: Logits): Logits;
    readonly lib?: { readonly webGPUContext?: LaunchContext };
  };
}

type CompletePipeline = Required<Omit<RecordingPipeline, 'tvm'>> & {
  readonly tvm: Required<Omit<NonNullable<RecordingPipeline['tvm']>, 'lib'>> & {
    readonly lib: { readonly webGPUContext: Required<LaunchContext> };
  };
};

/** The launches for a token that is not known yet. */
interface Recorded {
  readonly logits: Logits;
  readonly encoder: object | null;
  readonly launches: number;
}

/** Where a launch finds its token. */
interface TokenPlace {
  readonly buffer: GPUBuffer;
  readonly offset: number;
}

/** Records the launches for the token that follows the one which is being computed. */
export type RecordNext = (config: { readonly max_tokens?: number | null }) => Promise<void>;

/**
 * Lets the launches for a token be recorded while the device still computes the one before it. WebLLM records them, some
 * twenty or some hundreds, once the token is known, and the device has nothing to do meanwhile. They are the same for every
 * token: which one it is stands in a buffer, where it is written before they are submitted.
 *
 * If something else is fed next, or another prompt begins, they are taken back.
 *
 * @returns records them; null where WebLLM keeps these things elsewhere, or the model library takes nothing back. Then
 * nothing is changed.
 */
export function recordAhead(pipeline: RecordingPipeline): RecordNext | null {
  if (!isComplete(pipeline)) return null;
  let popPositions: (count: number) => void;
  try {
    popPositions = positionPopper(pipeline);
  } catch {
    return null;
  }
  const { tvm } = pipeline;
  const context = tvm.lib.webGPUContext;
  const { queue } = context.device;
  const forward = pipeline.embedAndForward.bind(pipeline);
  const reset = pipeline.resetChat.bind(pipeline);
  let recorded: Recorded | null = null;
  let place: TokenPlace | null = null;
  /** Whether the launches read their token out of a buffer that was found. */
  let able = true;

  /** Whether nobody has submitted any of it, or recorded more. */
  const isUntouched = ({ encoder, launches }: Recorded) =>
    context.pendingEncoder === encoder && context.pendingDispatchCount === launches;

  const takeBack = () => {
    if (recorded === null) return;
    if (isUntouched(recorded)) {
      context.pendingEncoder = null;
      context.pendingDispatchCount = 0;
    }
    recorded.logits.dispose();
    recorded = null;
    popPositions(1);
  };

  /** All of it is done when this returns, but for the promise of what it has made. */
  const forwardUnsubmitted = () => {
    const { writeBuffer } = queue;
    place = null;
    queue.writeBuffer = (...call: Parameters<GPUQueue['writeBuffer']>) => {
      const [buffer, offset] = call;
      // The token is the first thing that is written; what launches are told beside it is in uniform buffers.
      // oxlint-disable-next-line no-bitwise -- flags
      if (place === null && (buffer.usage & GPUBufferUsage.UNIFORM) === 0) place = { buffer, offset };
      else writeBuffer.apply(queue, call);
    };
    try {
      return forward([[PLACEHOLDER]], 1);
    } finally {
      queue.writeBuffer = writeBuffer;
    }
  };

  const record = async () => {
    const length = pipeline.filledKVCacheLength;
    tvm.beginScope();
    try {
      const made = forwardUnsubmitted();
      const { pendingEncoder: encoder, pendingDispatchCount: launches } = context;
      recorded = { logits: tvm.detachFromCurrentScope(await made), encoder, launches };
    } finally {
      tvm.endScope();
    }
    // Until the token is there, nobody else knows of it.
    pipeline.filledKVCacheLength = length;
    able = place !== null;
    if (!able) takeBack();
  };

  pipeline.embedAndForward = async (data, length) => {
    const tokens = length === 1 ? onlyTokens(data) : null;
    if (recorded === null || place === null || tokens === null || !isUntouched(recorded)) {
      takeBack();
      return forward(data, length);
    }
    const { logits } = recorded;
    recorded = null;
    queue.writeBuffer(place.buffer, place.offset, Int32Array.from(tokens));
    pipeline.filledKVCacheLength++;
    return tvm.attachToCurrentScope(logits);
  };
  pipeline.resetChat = (keepStats) => {
    takeBack();
    reset(keepStats);
  };
  return async ({ max_tokens }) => {
    const { outputIds, filledKVCacheLength, contextWindowSize } = pipeline;
    // The first token is what somebody waits for, and the last one of a limit is not fed.
    const isBetween = outputIds.length > 0 && outputIds.length + 1 < (max_tokens ?? Number.POSITIVE_INFINITY);
    if (!able || !isBetween || filledKVCacheLength >= contextWindowSize || context.pendingEncoder !== null) return;
    takeBack();
    await record();
  };
}

function isComplete(pipeline: RecordingPipeline): pipeline is CompletePipeline {
  const { embedAndForward, resetChat, getKVCheckpointFunc, tvm } = pipeline;
  const context = tvm?.lib?.webGPUContext;
  return (
    areFunctions(
      embedAndForward,
      resetChat,
      getKVCheckpointFunc,
      tvm?.scalar,
      tvm?.detachFromCurrentScope,
      tvm?.attachToCurrentScope,
      context?.device?.queue.writeBuffer,
    ) &&
    context?.pendingEncoder !== undefined &&
    context.pendingDispatchCount !== undefined &&
    Array.isArray(pipeline.outputIds) &&
    pipeline.contextWindowSize !== undefined &&
    pipeline.filledKVCacheLength !== undefined
  );
}
