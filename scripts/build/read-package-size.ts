export interface PackageAddresses {
  /** Folder of the weights, with a trailing slash. */
  readonly folder: string;
  readonly library: string;
}

/** File names of the weight list in newer and older packages. */
const WEIGHT_LISTS = ['tensor-cache.json', 'ndarray-cache.json'];
const OTHER_FILES = ['mlc-chat-config.json', 'tokenizer.json'];

/**
 * Reads a package's size in bytes from its server. It downloads only the list of weights, which contains their sizes.
 * @throws Error if the list cannot be read.
 */
export async function readPackageSize(
  { folder, library }: PackageAddresses,
  fetch: typeof globalThis.fetch,
): Promise<number> {
  const { address, text } = await readFirst(WEIGHT_LISTS, folder, fetch);
  const { records } = JSON.parse(text) as { readonly records: readonly { readonly nbytes: number }[] };
  const weights = records.reduce((sum, { nbytes }) => sum + nbytes, 0);
  if (!Number.isSafeInteger(weights) || weights <= 0) throw new Error(`${address} is no list of weights.`);
  const others = [...OTHER_FILES.map((name) => new URL(name, folder).href), library];
  const sizes = await Promise.all(others.map((other) => sizeOf(other, fetch)));
  return sizes.reduce((sum, size) => sum + size, weights + text.length);
}

async function readFirst(
  names: readonly string[],
  folder: string,
  fetch: typeof globalThis.fetch,
): Promise<{ readonly address: string; readonly text: string }> {
  for (const name of names) {
    const address = new URL(name, folder).href;
    const response = await fetch(address);
    if (response.ok) return { address, text: await response.text() };
    if (response.status !== 404) throw new Error(`${address} was answered with ${response.status}.`);
  }
  throw new Error(`${folder} has none of ${names.join(', ')}.`);
}

/** Reads the size of a file from its server; 0 if the file is missing or its size unknown. */
async function sizeOf(address: string, fetch: typeof globalThis.fetch): Promise<number> {
  const response = await fetch(address, { method: 'HEAD' });
  return response.ok ? Number(response.headers.get('content-length') ?? 0) : 0;
}
