import { expect, test } from 'vitest';
import { customSource } from '../../../src/engine-worker/models/custom-model.ts';

test.each([
  ['https://huggingface.co/someone/small', 'https://huggingface.co/someone/small/resolve/main/'],
  ['https://huggingface.co/someone/small/tree/main', 'https://huggingface.co/someone/small/resolve/main/'],
  ['https://huggingface.co/someone/small/tree/v2/', 'https://huggingface.co/someone/small/resolve/v2/'],
  ['https://huggingface.co/someone/small/resolve/v2', 'https://huggingface.co/someone/small/resolve/v2/'],
  ['https://hf.co/someone/small', 'https://huggingface.co/someone/small/resolve/main/'],
  ['http://www.huggingface.co/someone/small/', 'https://huggingface.co/someone/small/resolve/main/'],
  [
    'https://huggingface.co/someone/small/blob/v2/mlc-chat-config.json?download=true',
    'https://huggingface.co/someone/small/resolve/v2/',
  ],
  ['https://models.test/small/mlc-chat-config.json', 'https://models.test/small/'],
  ['https://models.test/tree/small', 'https://models.test/tree/small/'],
])('the package at %s lies below %s', (modelUrl, expected) => {
  const model = { id: 'small', modelUrl, libraryUrl: 'https://models.test/small.wasm' };
  expect(customSource(model).modelUrl).toBe(expected);
});
