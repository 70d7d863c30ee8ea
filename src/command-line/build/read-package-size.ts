/** Where the parts of a package lie. */
export interface PackageAddresses {
  /** Folder of the weights, with a trailing slash. */
  readonly folder: string;
  /** Address of the library. */
  readonly library: string;
}

/** Lists of weights, as packages of different age call them. */
const WEIGHT_LISTS = ['tensor-cache.json', 'ndarray-cache.json'];
const OTHER_FILES = ['mlc-chat-config.json', 'tokenizer.json'];

/**
 * Asks the server of a package how large it is, without fetching more than its list of weights; bytes.
 * @throws Error where the server has no such list, or no answer.
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

/** 0 for a file that is not there, or whose size the server does not tell. */
async function sizeOf(address: string, fetch: typeof globalThis.fetch): Promise<number> {
  const response = await fetch(address, { method: 'HEAD' });
  return response.ok ? Number(response.headers.get('content-length') ?? 0) : 0;
}
