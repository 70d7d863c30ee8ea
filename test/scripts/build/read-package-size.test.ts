import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { expect, test } from 'vitest';
import { estimatePackageSize } from '../../../scripts/build/estimate-package-size.ts';
import { readPackageSize } from '../../../scripts/build/read-package-size.ts';
import sizes from '../../../src/engine-worker/models/catalogue-sizes.json' with { type: 'json' };
import { FaultyModelServer } from '../../support/sites/faulty-model-server.ts';
import { smallModelPackage } from '../../support/sites/small-model-package.ts';

const PACKAGE = { folder: 'https://models.test/a/', library: 'https://models.test/a/library.wasm' };

test.each(['tensor-cache.json', 'ndarray-cache.json'])(
  'adds up a package whose list of weights is %s',
  async (name) => {
    const server = new FaultyModelServer();
    const files = smallModelPackage({ shards: [30_000, 20_000] });
    const list = files.get('tensor-cache.json')!;
    files.delete('tensor-cache.json');
    server.add('/a/', files.set(name, list));
    const sum = [...files.values()].reduce((bytes, file) => bytes + file.length, 0);
    expect(await readPackageSize(PACKAGE, server.fetch)).toBe(sum);
    expect(server.requests.filter(({ method, path }) => method === 'GET' && path.includes('shard'))).toEqual([]);
  },
);

test.each<[string, (server: FaultyModelServer) => void, RegExp]>([
  ['has no list of weights', (server) => server.files.delete('/a/tensor-cache.json'), /has none of/],
  ['answers with an error', (server) => server.faults.push({ file: 'cache.json', kind: 'status', status: 503 }), /503/],
  [
    'sends another content',
    (server) => server.faults.push({ file: 'cache.json', kind: 'replace', body: '<p>' }),
    /JSON/,
  ],
])('no size is read from a server that %s', async (_, harm, words) => {
  const server = new FaultyModelServer();
  server.add('/a/', smallModelPackage());
  harm(server);
  await expect(readPackageSize(PACKAGE, server.fetch)).rejects.toThrow(words);
});

// Numbers of parameters, computed from the shapes in the publishers' configurations.
test.each([
  ['Llama-3.2-1B-Instruct-q4f16_1-MLC', (1_235_814_400 * 4.5) / 8],
  ['Qwen2.5-0.5B-Instruct-q0f32-MLC', 494_032_768 * 2],
])('the estimate for %s comes close', (id, weights) => {
  expect(estimatePackageSize(id)! / weights).toBeGreaterThan(1);
  expect(estimatePackageSize(id)! / weights).toBeLessThan(1.03);
});

test('the shipped sizes cover the whole catalogue, each either read or estimated', () => {
  const { date, measured, estimated } = sizes;
  expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
  const ids = [...Object.keys(measured), ...Object.keys(estimated)];
  expect(ids.toSorted()).toEqual(prebuiltAppConfig.model_list.map(({ model_id }) => model_id).toSorted());
  // The catalogue lists the memory of the same weights on the GPU, with room for computing.
  for (const { model_id, vram_required_MB = 0 } of prebuiltAppConfig.model_list)
    expect({ model_id, fits: estimatePackageSize(model_id)! < vram_required_MB * 2 ** 20 * 1.25 }).toEqual({
      model_id,
      fits: true,
    });
});
