import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { WINDOW, WINDOW_FREQUENCY, WINDOW_WEIGHTS } from '../../src/pocket/build/gguf/attention-window.ts';
import { pocketGguf, type PocketPackage } from '../../src/pocket/build/gguf/pocket-gguf.ts';
import { builtInGgufUrl } from '../../src/shared/models/built-in-models.ts';
import { readGgufHeader } from '../../src/engine-worker/models/package/read-gguf-header.ts';

const read = (name: string) => readFile(new URL(`../../public/models/pocket/${name}`, import.meta.url));
const readJson = async (name: string) => JSON.parse(String(await read(name))) as Record<string, unknown>;

async function pocket(): Promise<PocketPackage> {
  return {
    config: await readJson('mlc-chat-config.json'),
    weights: await readJson('tensor-cache.json'),
    tokenizer: await readJson('tokenizer.json'),
    shard: async (name) => new Uint8Array(await read(name)).buffer,
  };
}

test("Pocket's package becomes a GGUF file with correct metadata", async () => {
  expect(await readGgufHeader(await pocketGguf(await pocket()))).toEqual({
    architecture: 'llama',
    name: 'Pocket',
    licence: 'apache-2.0',
    contextLength: 2048,
    hasChatTemplate: true,
    pooling: null,
    mmproj: null,
    dimensions: 256,
    parts: 1,
    parameters: 6_824_256,
    quantization: 'Q8_0',
    cacheBytesPerToken: 8192,
    slidingCacheBytes: 0,
    allows8BitCache: true,
    addedTokens: ['<|end|>', '<|system|>', '<|user|>', '<|assistant|>', '<|tool|>'].map((text, id) => ({
      id,
      text,
      special: true,
    })),
  });
});

test('the address of the file changes with its content', async () => {
  const file = await pocketGguf(await pocket());
  const hash = createHash('sha256').update(Buffer.from(await file.arrayBuffer()));
  expect(builtInGgufUrl('https://site.test/')).toBe(
    `https://site.test/models/pocket/pocket.gguf?${hash.digest('hex').slice(0, 8)}`,
  );
});

test('a package with another attention window is refused, because the weights would be wrong', async () => {
  const given = await pocket();
  const { model_config: shape } = given.config as { model_config: object };
  const config = { model_config: { ...shape, attention_window: 256 } };
  await expect(pocketGguf({ ...given, config })).rejects.toThrow('128');
});

test('the attention weights hide keys beyond the window and treat those within it alike', () => {
  const scores = Array.from({ length: WINDOW.contextWindow }, (_, distance) =>
    WINDOW_WEIGHTS.reduce(
      (sum, weight, index) => sum + weight * Math.cos((index + 1) * WINDOW_FREQUENCY * distance),
      0,
    ),
  );
  const within = scores.slice(0, WINDOW.tokens);
  expect(Math.max(...within) - Math.min(...within)).toBeLessThan(0.41);
  const farthest = Math.max(...scores.slice(144));
  expect(Math.min(...within) - farthest).toBeGreaterThan(9.5);
});
