import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { compileLibrary } from '../../src/pocket/build/compile-library.ts';
import { TINY_SHAPE } from './support/tiny-shape.ts';

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  TVMWasmAllocSpace(size: number): number;
  TVMWasmFreeSpace(space: number): number;
  TVMFFIFunctionGetGlobal(name: number, out: number): number;
  TVMFFIObjectDecRef(object: number): number;
  TVMFFIWasmFunctionCreate(resource: number, out: number): number;
}

let library: Exports;
const deleted: number[] = [];

beforeAll(async () => {
  const { instance } = await WebAssembly.instantiate(await compileLibrary(TINY_SHAPE), {
    env: {
      TVMFFIWasmSafeCall: () => -1,
      TVMFFIWasmFunctionDeleter: (resource: number) => deleted.push(resource),
    },
  });
  library = instance.exports as unknown as Exports;
  // oxlint-disable-next-line no-underscore-dangle -- the name WebLLM calls
  library._initialize();
}, 120_000);

/** Whether the library has a global function of this name. */
function hasGlobal(name: string): boolean {
  const space = library.TVMWasmAllocSpace(12 + name.length);
  const view = new DataView(library.memory.buffer, space);
  view.setUint32(0, space + 12, true);
  view.setUint32(4, name.length, true);
  new TextEncoder().encodeInto(name, new Uint8Array(library.memory.buffer, space + 12));
  library.TVMFFIFunctionGetGlobal(space, space + 8);
  const found = new DataView(library.memory.buffer).getUint32(space + 8, true);
  if (found !== 0) library.TVMFFIObjectDecRef(found);
  library.TVMWasmFreeSpace(space);
  return found !== 0;
}

test('has every function that WebLLM looks up by name', async () => {
  const source = await readFile(fileURLToPath(import.meta.resolve('@mlc-ai/web-llm')), 'utf8');
  const names = [...source.matchAll(/getGlobalFunc\("([^"]+)"\)/g)]
    .map(([, name]) => name!)
    .concat([...source.matchAll(/"(vm\.builtin\.[a-z_]+)"/g)].map(([, name]) => name!))
    // Only remote sessions and tvmjs's own RPC server use these functions.
    .filter((name) => !name.startsWith('rpc.') && !name.startsWith('wasm.'));
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !hasGlobal(name))).toEqual([]);
});

test('an unknown function is null', () => {
  expect(hasGlobal('vm.builtin.nonsense')).toBe(false);
});

test('freed memory is reused', () => {
  const before = library.memory.buffer.byteLength;
  for (let i = 0; i < 10_000; i++) library.TVMWasmFreeSpace(library.TVMWasmAllocSpace(5000));
  expect(library.memory.buffer.byteLength).toBe(before);
});

test('a JavaScript function is deleted with its last reference', () => {
  const space = library.TVMWasmAllocSpace(4);
  library.TVMFFIWasmFunctionCreate(17, space);
  const made = new DataView(library.memory.buffer).getUint32(space, true);
  library.TVMFFIObjectDecRef(made);
  expect(deleted).toEqual([17]);
});
