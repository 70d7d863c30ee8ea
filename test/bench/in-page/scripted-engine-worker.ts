import { Completions } from '../../../src/engine-worker/completions/completions.ts';
import { PortServer } from '../../../src/engine-worker/ports/port-server.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import type { GenerationEvent } from '../../../src/shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import type { Engine } from '../../../src/shared/engine/engine.ts';
import { ENGINE_LOCK_PREFIX } from '../../../src/shared/locks/site-locks.ts';
import { holdLivenessLock } from '../../../src/shared/locks/liveness-lock.ts';

/** An engine that computes nothing, so that only the endpoint's own cost is measured. */
class CostlessEngine implements Engine {
  loadedModel: string | null = null;

  async load({ id }: { id: string }): Promise<void> {
    this.loadedModel = id;
  }

  async unload(): Promise<void> {
    this.loadedModel = null;
  }

  async *generate({ maxTokens }: CompletionRequest, signal: AbortSignal): AsyncGenerator<GenerationEvent> {
    const tokens = maxTokens ?? 1;
    yield { type: 'prefill' };
    for (let token = 0; token < tokens && !signal.aborted; token++)
      yield { type: 'delta', choice: 0, content: ' word' };
    yield { type: 'finish', choice: 0, reason: 'length' };
    yield { type: 'done', usage: { promptTokens: 1, completionTokens: tokens, cachedTokens: 0, reasoningTokens: 0 } };
  }

  async tokenize(): Promise<number[]> {
    return [];
  }

  detokenize(): string {
    return '';
  }
}

const lockName = ENGINE_LOCK_PREFIX + self.name;
const gpu = { find: async () => ({ description: 'none' }), isGone: async () => false };
const server = new PortServer({
  completions: new Completions({
    engine: new CostlessEngine(),
    findModel: async (_, site) => builtInModel(site),
    gpu,
  }),
  handlers: {},
  lockName: holdLivenessLock(lockName).then(() => lockName),
  gpu,
});
// This is a SharedWorker.
addEventListener('connect', (event) => server.serve((event as MessageEvent).ports[0]!));
