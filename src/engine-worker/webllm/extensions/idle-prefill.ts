import { areFunctions } from './are-functions.ts';
import type { AheadPipeline } from './decode-ahead.ts';

/** Milliseconds after an answer in which its end may reach who asked, and a next question may come. */
const PAUSE = 100;

/** The part of WebLLM's object for a loaded model that is used or changed here. */
export interface TurnPipeline extends Pick<
  AheadPipeline,
  'commitSampledStep' | 'stopTokens' | 'stopTriggered' | 'contextWindowSize' | 'filledKVCacheLength'
> {
  /** Feeds tokens to the model. */
  embedAndForward?(data: readonly (readonly number[])[], length: number): Promise<unknown>;
  /** Begins anew, for another prompt. */
  resetChat?(keepStats?: boolean): void;
  /** Frees the model. */
  dispose?(): void;
  readonly device?: { sync(): Promise<void> };
  readonly tvm?: { beginScope(): void; endScope(): void };
}

/** What is read after an answer, and what is done then. */
export interface BetweenTurns {
  /** The tokens between an answer that ended with this one and the words of the next question, this one included. */
  tokensFrom(end: number): readonly number[];
  /** Called when they have been read, unless another prompt has begun, or the model was freed. */
  afterwards(): void;
}

/**
 * Lets the model read what ends its turn and begins the next one while it has nothing else to do. The next prompt of the
 * conversation has that too, and would have to read it while somebody waits. If it has something else there, or is another
 * conversation's, the tokens are taken back with the others that it does not begin with.
 *
 * @returns whether WebLLM keeps these things where they are looked for; if not, nothing is changed.
 */
export function readBetweenTurns(pipeline: TurnPipeline, { tokensFrom, afterwards }: BetweenTurns): boolean {
  if (!isComplete(pipeline)) return false;
  const { device, tvm } = pipeline;
  // As it is now, before prompts are cut and waited for: a scope of tensors is open while it works.
  const forward = pipeline.embedAndForward.bind(pipeline);
  const commit = pipeline.commitSampledStep.bind(pipeline);
  const reset = pipeline.resetChat.bind(pipeline);
  const dispose = pipeline.dispose.bind(pipeline);
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** How often a prompt has begun, or the model was freed. */
  let interruptions = 0;

  const read = async (end: number) => {
    const before = interruptions;
    const tokens = tokensFrom(end);
    if (pipeline.filledKVCacheLength + tokens.length > pipeline.contextWindowSize) return;
    tvm.beginScope();
    try {
      await forward([tokens], tokens.length);
    } finally {
      tvm.endScope();
    }
    await device.sync();
    // A prompt that has come meanwhile changes the key-value cache.
    if (interruptions === before) afterwards();
  };

  pipeline.commitSampledStep = (step, config) => {
    const committed = commit(step, config);
    // On a device that is lost meanwhile, the next request hears of that.
    if (pipeline.stopTriggered && pipeline.stopTokens.includes(step.tokenId))
      timer = setTimeout(() => void read(step.tokenId).catch(() => {}), PAUSE);
    return committed;
  };
  const interrupt = () => {
    interruptions++;
    clearTimeout(timer);
  };
  pipeline.resetChat = (keepStats) => {
    interrupt();
    reset(keepStats);
  };
  pipeline.dispose = () => {
    interrupt();
    dispose();
  };
  return true;
}

function isComplete(pipeline: TurnPipeline): pipeline is Required<TurnPipeline> {
  const { embedAndForward, commitSampledStep, resetChat, dispose, device, tvm, stopTokens } = pipeline;
  return (
    areFunctions(
      embedAndForward,
      commitSampledStep,
      resetChat,
      dispose,
      device?.sync,
      tvm?.beginScope,
      tvm?.endScope,
    ) &&
    Array.isArray(stopTokens) &&
    pipeline.stopTriggered !== undefined &&
    pipeline.contextWindowSize !== undefined &&
    pipeline.filledKVCacheLength !== undefined
  );
}
