import type { GenerationEvent } from '../../../src/shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import type { Engine, LoadingProgress } from '../../../src/shared/engine/engine.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';

// Takes the place of `src/engine-worker/webllm/create-webllm-engine.ts` in the engine worker of a `wordSite`, and so exports
// the same names.

/** Milliseconds for a token, and for a tenth of a load: long enough for a test to act in the middle of an answer. */
const STEP_TIME = 20;

/** Creates an engine that computes nothing: it loads any model in a fifth of a second, and answers in counted words. */
export function createWebLlmEngine(): Engine {
  return new WordEngine();
}

/** The catalogue is empty. */
export async function prebuiltModels(): Promise<readonly []> {
  return [];
}

/** Its answers depend on the question only. They have as many words as the request allows, or else eight, a story 150. */
class WordEngine implements Engine {
  loadedModel: string | null = null;

  async load({ id }: ModelEntry, report: (progress: LoadingProgress) => void, signal: AbortSignal): Promise<void> {
    this.loadedModel = null;
    for (let tenth = 1; tenth <= 10; tenth++) {
      await step();
      signal.throwIfAborted();
      report({ progress: tenth / 10, text: `${tenth} of 10` });
    }
    this.loadedModel = id;
  }

  async unload(): Promise<void> {
    this.loadedModel = null;
  }

  async *generate(request: CompletionRequest, signal: AbortSignal): AsyncGenerator<GenerationEvent> {
    const { messages, maxTokens, embed } = request;
    if (embed) {
      yield* embedded(embed.inputs);
      return;
    }
    const question = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content);
    const words = maxTokens ?? (question.includes('story') ? 150 : 8);
    yield { type: 'prefill' };
    for (let word = 1; word <= words; word++) {
      await step();
      if (signal.aborted) return;
      yield { type: 'delta', choice: 0, content: `${question.length * word} ` };
    }
    yield { type: 'finish', choice: 0, reason: maxTokens === null ? 'stop' : 'length' };
    const usage = { promptTokens: question.length, completionTokens: words, cachedTokens: 0, reasoningTokens: 0 };
    yield { type: 'done', usage };
  }

  async tokenize(): Promise<readonly number[]> {
    throw new Error('The word engine has no tokens.');
  }

  detokenize(): string {
    throw new Error('The word engine has no tokens.');
  }
}

/** A vector tells only how long its text is, so that a search finds passages by their words. */
async function* embedded(inputs: readonly (string | readonly number[])[]): AsyncGenerator<GenerationEvent> {
  yield { type: 'prefill' };
  await step();
  for (const [choice, input] of inputs.entries()) {
    const vector = Float32Array.from({ length: 64 }, (_, place) => (place === input.length % 64 ? 1 : 0));
    yield { type: 'delta', choice, embedding: vector };
  }
  const usage = { promptTokens: inputs.length, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
  yield { type: 'done', usage };
}

function step(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, STEP_TIME));
}
