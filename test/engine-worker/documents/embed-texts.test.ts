import { expect, test } from 'vitest';
import { CompletionLog } from '../../../src/engine-worker/completions/completion-log.ts';
import type { Completion } from '../../../src/engine-worker/completions/completion.ts';
import { embedWith } from '../../../src/engine-worker/documents/embed-texts.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';

const OPTIONS = { model: 'words', site: 'https://site.test/', isBackground: true };

/** Answers a text by its length. Fails with `failure(length)` if that is not null. */
function embedder(failure: (length: number) => ApiError | null) {
  const lengths: number[] = [];
  const start = ({ embed }: CompletionRequest) => {
    const log = new CompletionLog();
    const inputs = (embed?.inputs ?? []) as readonly string[];
    lengths.push(...inputs.map(({ length }) => length));
    const error = inputs.map(({ length }) => failure(length)).find((one) => one !== null);
    if (error) log.append({ type: 'error', error: error.toData() });
    for (const [choice, { length }] of inputs.entries()) {
      log.append({ type: 'delta', choice, embedding: Float32Array.of(length) });
    }
    log.append({ type: 'done', usage: { promptTokens: 1, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 } });
    return { log } as Completion;
  };
  const embed = embedWith({ start });
  return { lengths, embed: async (...texts: string[]) => (await embed(texts, OPTIONS)).map(([value]) => value) };
}

const tooLong = (tokens: number, maximum: number) =>
  new ApiError('context_length_exceeded', 'Too long.', { overflow: { tokens, maximum } });

test('of a text that exceeds the window the beginning counts, and the other texts are whole', async () => {
  const { embed, lengths } = embedder((length) => (length > 100 ? tooLong(length, 100) : null));
  const vectors = await embed('a'.repeat(50), 'b'.repeat(1000), 'c'.repeat(100));
  expect([vectors[0], vectors[2]]).toEqual([50, 100]);
  expect(vectors[1]).toBeLessThanOrEqual(100);
  expect(vectors[1]).toBeGreaterThan(80);
  expect(lengths.length).toBeLessThan(10);
});

test('a text is shortened until it fits, however wrong the reported lengths are', async () => {
  const { embed } = embedder((length) => (length > 10 ? tooLong(1_000_001, 1_000_000) : null));
  const [length = 0] = await embed('a'.repeat(10_000));
  expect([length > 0, length <= 10]).toEqual([true, true]);
});

test('another failure is passed on', async () => {
  const { embed } = embedder(() => new ApiError('model_load_failed', 'No file.'));
  await expect(embed('a', 'b')).rejects.toMatchObject({ code: 'model_load_failed' });
});
