import { areFunctions } from './are-functions.ts';
import type { AheadPipeline } from './decode-ahead.ts';

/** Milliseconds after an answer in which its end may reach who asked, and a next question may come. */
const PAUSE = 100;

/** The part of WebLLM's object for a loaded model that is used or changed here. */
export interface TurnPipeline extends Pick<
  AheadPipeline,
  | 'forwardDecodeToken'
  | 'commitSampledStep'
  | 'stopTokens'
  | 'stopTriggered'
  | 'contextWindowSize'
  | 'filledKVCacheLength'
> {
  /** Begins anew, for another prompt. */
  resetChat?(keepStats?: boolean): void;
  /** Frees the model. */
  dispose?(): void;
  readonly device?: { sync(): Promise<void> };
}

/**
 * Lets the model read the token that ended its turn while it has nothing else to do. With most templates the next prompt of
 * the conversation has it too, and would have to read it while somebody waits. If it has not, or is another conversation's,
 * the token is taken back with the others that it does not begin with.
 *
 * @returns whether WebLLM keeps these things where they are looked for; if not, nothing is changed.
 */
export function readEndOfTurn(pipeline: TurnPipeline): boolean {
  if (!isComplete(pipeline)) return false;
  const { device } = pipeline;
  const commit = pipeline.commitSampledStep.bind(pipeline);
  const reset = pipeline.resetChat.bind(pipeline);
  const dispose = pipeline.dispose.bind(pipeline);
  let timer: ReturnType<typeof setTimeout> | undefined;

  const read = async (token: number) => {
    const logits = await pipeline.forwardDecodeToken(token);
    logits.dispose();
    await device.sync();
  };

  pipeline.commitSampledStep = (step, config) => {
    const committed = commit(step, config);
    const { stopTriggered, stopTokens, filledKVCacheLength, contextWindowSize } = pipeline;
    if (stopTriggered && stopTokens.includes(step.tokenId) && filledKVCacheLength < contextWindowSize) {
      // On a device that is lost meanwhile, the next request hears of that.
      timer = setTimeout(() => void read(step.tokenId).catch(() => {}), PAUSE);
    }
    return committed;
  };
  pipeline.resetChat = (keepStats) => {
    clearTimeout(timer);
    reset(keepStats);
  };
  pipeline.dispose = () => {
    clearTimeout(timer);
    dispose();
  };
  return true;
}

function isComplete(pipeline: TurnPipeline): pipeline is Required<TurnPipeline> {
  const { forwardDecodeToken, commitSampledStep, resetChat, dispose, device, stopTokens } = pipeline;
  return (
    areFunctions(forwardDecodeToken, commitSampledStep, resetChat, dispose, device?.sync) &&
    Array.isArray(stopTokens) &&
    pipeline.stopTriggered !== undefined &&
    pipeline.contextWindowSize !== undefined &&
    pipeline.filledKVCacheLength !== undefined
  );
}
