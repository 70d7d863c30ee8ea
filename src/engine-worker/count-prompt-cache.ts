import type { Usage } from '../shared/completion-event.ts';
import type { EngineStatus } from '../shared/engine.ts';

type Ready = Extract<EngineStatus, { state: 'ready' }>;

/** The use of the prompt cache by a model that was just loaded. */
export function unusedPromptCache(off: string | null | undefined): Ready['promptCache'] {
  return { promptTokens: 0, cachedTokens: 0, off: off ?? null };
}

/** The status of the engine after one more answer. */
export function countPromptCache(status: EngineStatus, { promptTokens, cachedTokens }: Usage): EngineStatus {
  if (status.state !== 'ready') return status;
  const { promptCache: use } = status;
  return {
    ...status,
    promptCache: {
      ...use,
      promptTokens: use.promptTokens + promptTokens,
      cachedTokens: use.cachedTokens + cachedTokens,
    },
  };
}
