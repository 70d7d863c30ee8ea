import type { EngineLogprob } from '../pipeline/webllm-pipeline.ts';

/**
 * Returns an entry that is computed when it is first read: after its token was fed to the model, so that the GPU works
 * in that time.
 */
export function delayedLogprob(compute: () => EngineLogprob): EngineLogprob {
  let computed: EngineLogprob | undefined;
  /** Dropped after its call, because it holds the logits of the whole vocabulary. */
  let pending: (() => EngineLogprob) | null = compute;
  const entry = () => {
    computed ??= pending!();
    pending = null;
    return computed;
  };
  return {
    get token() {
      return entry().token;
    },
    get logprob() {
      return entry().logprob;
    },
    get bytes() {
      return entry().bytes ?? [];
    },
    get top_logprobs() {
      return entry().top_logprobs;
    },
  };
}
