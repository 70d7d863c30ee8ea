import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { builtInModels } from '../../../src/shared/models/built-in-models.ts';

test.each(builtInModels('https://site.test/'))('the listed facts of $id are those of its package', async (model) => {
  const { pathname } = new URL(model.modelUrl);
  const file = new URL(`../../../public${pathname}mlc-chat-config.json`, import.meta.url);
  const { vocab_size, context_window_size, model_config } = JSON.parse(await readFile(file, 'utf8')) as {
    vocab_size: number;
    context_window_size: number;
    model_config: { hidden_size: number };
  };
  expect(model).toMatchObject({ vocabularySize: vocab_size, contextWindow: context_window_size });
  const { dimensions = model_config.hidden_size } = model.embedding ?? {};
  expect(dimensions).toBe(model_config.hidden_size);
});
