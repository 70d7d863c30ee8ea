import * as v from 'valibot';
import { ApiError } from '../../../shared/api-error.ts';
import { fileOf, type GgufAddressParts } from '../../../shared/models/hub-address.ts';
import { parseGgufAddress } from './parse-gguf-address.ts';
import { say } from '../../strings/say.ts';
import { httpError, networkError } from '../download/download-error.ts';
import { withStallTimeout } from '../download/with-stall-timeout.ts';
import { HUGGING_FACE, mirrored } from '../package/package-address.ts';
import { chooseGguf, modelsAmong } from './choose-gguf.ts';

export interface GgufAddress {
  readonly address: string;
  /** Returns the hexadecimal SHA-256 that the publisher states of the file at an address; null if unknown. */
  readonly sha256: (address: string) => string | null;
}

/** Hugging Face's list of the files in a repository. */
const Tree = v.array(
  v.object({
    path: v.string(),
    size: v.optional(v.number()),
    lfs: v.optional(v.object({ oid: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) })),
  }),
);

/**
 * Finds the address of a GGUF file from what the user typed; {@link parseGgufAddress} has the forms. For a repository on
 * Hugging Face its list of files is fetched.
 * @param mirror Base address of a mirror of the model hosts, with a trailing slash; null for none.
 * @throws ApiError `invalid_value` for a text that is not such an address; DownloadError if the list cannot be fetched.
 */
export async function findGguf(
  typed: string,
  fetch: typeof globalThis.fetch,
  mirror: string | null,
): Promise<GgufAddress> {
  const named = parseGgufAddress(typed);
  if (named === null) throw new ApiError('invalid_value', say('noGgufAddress'), { param: 'from' });
  if (named.kind === 'repository') return findInRepository(named, fetch, mirror);
  const isOnHub = named.address.startsWith(HUGGING_FACE);
  return { address: isOnHub ? mirrored(named.address, mirror) : named.address, sha256: () => null };
}

async function findInRepository(
  { repository, revision, quantization }: Extract<GgufAddressParts, { kind: 'repository' }>,
  fetch: typeof globalThis.fetch,
  mirror: string | null,
): Promise<GgufAddress> {
  const branch = encodeURIComponent(revision);
  const url = mirrored(`${HUGGING_FACE}api/models/${repository}/tree/${branch}?recursive=true`, mirror);
  const list = { name: repository, url, cache: 'tabserve/gguf', kind: 'json', bytes: null, md5: null } as const;
  const response = await withStallTimeout(fetch)(url).catch((thrown: unknown) => {
    throw networkError(list, thrown);
  });
  if (!response.ok) throw httpError(list, response);
  const { output = [] } = v.safeParse(Tree, await response.json().catch(() => null)) as {
    output?: v.InferOutput<typeof Tree>;
  };
  const files = modelsAmong(output);
  const found = chooseGguf(files, quantization);
  if (found === undefined) {
    const names = files.map(({ path }) => path);
    const sentence = say('noGgufOfName', repository, quantization ?? '', names.length > 0 ? names : ['–']);
    throw new ApiError('invalid_value', sentence, { param: 'from' });
  }
  const addressOf = ({ path }: { readonly path: string }) =>
    mirrored(fileOf(repository, revision, path).address, mirror);
  const hashes = new Map(files.map((file) => [addressOf(file), file.lfs?.oid ?? null]));
  return { address: addressOf(found), sha256: (address) => hashes.get(address) ?? null };
}
