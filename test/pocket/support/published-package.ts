import { readFile } from 'node:fs/promises';
import { compileEncoderLibrary, compileLibrary } from '../../../src/pocket/build/compile-library.ts';
import { readModelShape } from '../../../src/pocket/build/model-shape.ts';

const LIBRARIES = { pocket: compileLibrary, 'pocket-embed': compileEncoderLibrary } as const;

/** Returns a package in `public/`, with its library compiled from the current sources. */
export async function readPublishedPackage(id: keyof typeof LIBRARIES): Promise<Map<string, string | Uint8Array>> {
  const folder = new URL(`../../../public/models/${id}/`, import.meta.url);
  const files = ['mlc-chat-config.json', 'tensor-cache.json', 'tokenizer.json', 'params_shard_0.bin'];
  const contents = await Promise.all(files.map((file) => readFile(new URL(file, folder))));
  const model = new Map<string, string | Uint8Array>(files.map((file, index) => [file, contents[index]!]));
  const config = JSON.parse(contents[0]!.toString()) as { model_config: Record<string, unknown> };
  return model.set('library.wasm', await LIBRARIES[id](readModelShape(config.model_config)));
}
