import { expect, test } from 'vitest';
import { readModelShape, writeModelShape } from '../../src/pocket/build/model-shape.ts';
import { TINY_SHAPE } from './support/tiny-shape.ts';

const CONFIG = writeModelShape(TINY_SHAPE);

test('a configuration is parsed into the shape that it was written from', () => {
  expect(readModelShape(CONFIG)).toEqual(TINY_SHAPE);
});

test('the attention window of a model without windows is its context window', () => {
  const { attention_window, global_key_value_heads, ...config } = CONFIG;
  expect(attention_window).toBeLessThan(TINY_SHAPE.contextWindow);
  expect(global_key_value_heads).toHaveLength(TINY_SHAPE.layers);
  expect(readModelShape(config)).toMatchObject({ attentionWindow: TINY_SHAPE.contextWindow, globalKeyValueHeads: [] });
});

test.each([
  [{ hidden_size: undefined }, 'hidden_size must be a positive number'],
  [{ weight_bits: 5 }, 'weight_bits must be 4 or 8'],
  [{ intermediate_size: 100 }, 'intermediate_size must be a multiple of weight_group_size'],
  [{ num_key_value_heads: 4 }, 'must be a multiple of num_key_value_heads'],
  [{ head_dim: 288 }, 'head_dim must be a multiple of 8, at most 256'],
  [{ global_key_value_heads: [0, 4] }, 'global_key_value_heads must be a list'],
  [{ global_key_value_heads: 2 }, 'global_key_value_heads must be a list'],
  [{ vocab_size: 321 }, 'vocab_size must be a multiple of 4'],
])('refuses %o', (change, message) => {
  expect(() => readModelShape({ ...CONFIG, ...change })).toThrow(message);
});
