type Bytes = readonly number[];

/** Entries of a GGUF header, by key. */
export type GgufEntries = Readonly<Record<string, string | number | readonly string[] | readonly number[]>>;

const number = (value: number | bigint, bytes: number): Bytes =>
  Array.from({ length: bytes }, (_, index) => Number((BigInt(value) >> BigInt(8 * index)) & 255n));
const u32 = (value: number): Bytes => number(value, 4);
const u64 = (value: number): Bytes => number(value, 8);
const text = (value: string): Bytes => {
  const bytes = [...new TextEncoder().encode(value)];
  return [...u64(bytes.length), ...bytes];
};

const entry = (value: GgufEntries[string]): Bytes => {
  if (typeof value === 'string') return [...u32(8), ...text(value)];
  if (typeof value === 'number') return [...u32(4), ...u32(value)];
  const elements = value.flatMap((element) => (typeof element === 'string' ? text(element) : u32(element)));
  return [...u32(9), ...u32(typeof value[0] === 'string' ? 8 : 5), ...u64(value.length), ...elements];
};

/** A header of a small chat model. */
const CHAT: GgufEntries = {
  'general.architecture': 'llama',
  'general.name': 'Tiny',
  'general.license': 'apache-2.0',
  'general.file_type': 15,
  'llama.context_length': 2048,
  'llama.block_count': 2,
  'llama.embedding_length': 64,
  'llama.attention.head_count': 4,
  'llama.attention.head_count_kv': 2,
  'tokenizer.chat_template': '{{ messages }}',
};

/**
 * One file of a split model, as llama.cpp's own tool writes it: only the first one says what the model is.
 * @param part From 1.
 * @param count Number of files.
 */
export function splitGgufFile(part: number, count: number): Uint8Array<ArrayBuffer> {
  const nothing = Object.fromEntries(Object.keys(CHAT).map((key) => [key, null]));
  return ggufFile({ ...(part === 1 ? {} : nothing), 'split.no': part - 1, 'split.count': count });
}

/**
 * A GGUF file with one tensor of 32 weights, padded with zeros. No engine can run it.
 * @param entries Added to the header of a small chat model. Null leaves an entry out.
 * @param bytes Size of the data after the header. Default: 128.
 */
export function ggufFile(
  entries: Readonly<Record<string, GgufEntries[string] | null>> = {},
  bytes = 128,
): Uint8Array<ArrayBuffer> {
  const all = Object.entries({ ...CHAT, ...entries }).flatMap(([key, value]) =>
    value === null ? [] : [[key, value] as const],
  );
  const header = all.flatMap(([key, value]) => [...text(key), ...entry(value)]);
  const tensor = [...text('weights'), ...u32(2), ...u64(8), ...u64(4), ...u32(0), ...u64(0)];
  const begin = [...new TextEncoder().encode('GGUF'), ...u32(3), ...u64(1), ...u64(all.length), ...header, ...tensor];
  // The data begin at a multiple of 32 bytes.
  const file = new Uint8Array(Math.ceil(begin.length / 32) * 32 + bytes);
  file.set(begin);
  return file;
}
