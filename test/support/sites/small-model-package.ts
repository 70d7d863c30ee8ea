import { createHash, randomFillSync } from 'node:crypto';

export interface SmallPackageOptions {
  /** Sizes of the weight shards in bytes. */
  readonly shards?: readonly number[];
  readonly tokenizer?: string;
}

/** Returns the files of a small package in WebLLM's format, with random weights. */
export function smallModelPackage({
  shards = [300_000, 200_000, 50_000],
  tokenizer = 'tokenizer.json',
}: SmallPackageOptions = {}) {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const records = shards.map((size, index) => {
    const dataPath = `params_shard_${index}.bin`;
    const bytes = randomFillSync(new Uint8Array(size));
    files.set(dataPath, bytes);
    return { dataPath, format: 'raw-shard', nbytes: size, records: [], md5sum: md5(bytes) };
  });
  files.set('tensor-cache.json', json({ metadata: { ParamSize: 0 }, records }));
  files.set(
    'mlc-chat-config.json',
    json({ tokenizer_files: [tokenizer], context_window_size: 2048, vocab_size: 512, temperature: 0.6, top_p: 0.9 }),
  );
  files.set(tokenizer, json({ version: '1.0', model: { type: 'BPE' } }));
  files.set('library.wasm', new Uint8Array([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  return files;
}

function json(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex');
}
