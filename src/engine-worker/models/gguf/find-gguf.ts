import * as v from 'valibot';
import { ApiError } from '../../../shared/api-error.ts';
import { say } from '../../strings/say.ts';
import { httpError, networkError } from '../download/download-error.ts';
import { withStallTimeout } from '../download/with-stall-timeout.ts';
import { HUGGING_FACE, mirrored } from '../package/package-address.ts';

export interface GgufAddress {
  readonly address: string;
  /** Hexadecimal SHA-256 that the publisher states; null if unknown. */
  readonly sha256: string | null;
}

/** Matches `hf:owner/repository`, `hf:owner/repository:Q8_0`, or the address of a repository page. */
const REPOSITORY = /^(?:hf:|https:\/\/(?:huggingface\.co|hf\.co)\/)([\w.-]+\/[\w.-]+?)(?::([\w.-]+))?\/?$/i;

/** Quantizations by preference, used if the user names none: small files with little loss of quality first. */
const USUAL = ['Q4_K_M', 'Q4_0', 'Q4_1', 'Q5_K_M', 'Q6_K', 'Q8_0'];

/** Hugging Face's list of the files in a repository. */
const Tree = v.array(
  v.object({ path: v.string(), lfs: v.optional(v.object({ oid: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) })) }),
);

/**
 * Finds the address of a GGUF file from what the user typed: the address of a file, of its page on Hugging Face, or of
 * a repository there, whose list of files is then fetched.
 * @param mirror Base address of a mirror of the model hosts, with a trailing slash; null for none.
 * @throws ApiError `invalid_value` for a text that is not such an address; DownloadError if the list cannot be fetched.
 */
export async function findGguf(
  typed: string,
  fetch: typeof globalThis.fetch,
  mirror: string | null,
): Promise<GgufAddress> {
  const [, repository, quantization] = REPOSITORY.exec(typed.trim()) ?? [];
  if (repository !== undefined) return findInRepository(repository, quantization, fetch, mirror);
  const url = URL.parse(typed.trim());
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ApiError('invalid_value', say('noGgufAddress'), { param: 'from' });
  url.hash = '';
  if (url.origin !== new URL(HUGGING_FACE).origin) return { address: url.href, sha256: null };
  url.pathname = url.pathname.replace(/^(\/[^/]+\/[^/]+)\/blob\//, '$1/resolve/');
  url.search = '';
  return { address: mirrored(url.href, mirror), sha256: null };
}

async function findInRepository(
  repository: string,
  quantization: string | undefined,
  fetch: typeof globalThis.fetch,
  mirror: string | null,
): Promise<GgufAddress> {
  const url = mirrored(`${HUGGING_FACE}api/models/${repository}/tree/main?recursive=true`, mirror);
  const list = { name: repository, url, cache: 'tabserve/gguf', kind: 'json', bytes: null, md5: null } as const;
  const response = await withStallTimeout(fetch)(url).catch((thrown: unknown) => {
    throw networkError(list, thrown);
  });
  if (!response.ok) throw httpError(list, response);
  const { output = [] } = v.safeParse(Tree, await response.json().catch(() => null)) as {
    output?: v.InferOutput<typeof Tree>;
  };
  // Files whose names contain mmproj are image encoders, not language models.
  const files = output.filter(({ path }) => /\.gguf$/i.test(path) && !/mmproj/i.test(path));
  const named = (name: string) => files.find(({ path }) => wordsOf(path).includes(wordsOf(name)));
  const found = quantization === undefined ? (USUAL.map(named).find(Boolean) ?? files[0]) : named(quantization);
  if (found === undefined) {
    const names = files.map(({ path }) => path);
    const sentence = say('noGgufOfName', repository, quantization ?? '', names.length > 0 ? names : ['–']);
    throw new ApiError('invalid_value', sentence, { param: 'from' });
  }
  const path = found.path.split('/').map(encodeURIComponent).join('/');
  return {
    address: mirrored(`${HUGGING_FACE}${repository}/resolve/main/${path}`, mirror),
    sha256: found.lfs?.oid ?? null,
  };
}

/**
 * Returns the words of a name, each between spaces, so that one name contains another only in whole words: `Q4_K_M`
 * contains `Q4_K`, but `BF16` does not contain `F16`.
 */
function wordsOf(name: string): string {
  return ` ${(name.toLowerCase().match(/[a-z\d]+/g) ?? []).join(' ')} `;
}
