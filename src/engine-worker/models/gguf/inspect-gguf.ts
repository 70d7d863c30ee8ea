import { ApiError } from '../../../shared/api-error.ts';
import type { GgufFacts } from '../../../shared/models/model-facts.ts';
import type { ModelSource } from '../../../shared/models/model-management.ts';
import { GGUF_DEFAULTS } from '../../../shared/models/site-models.ts';
import { say } from '../../strings/say.ts';
import type { ChosenFiles } from '../download/chosen-files.ts';
import { unreadableFileError } from '../download/download-error.ts';
import { withStallTimeout } from '../download/with-stall-timeout.ts';
import { embeddingFacts } from './embedding-facts.ts';
import { findGguf } from './find-gguf.ts';
import { GgufFault } from '../package/gguf-cursor.ts';
import { fileNameAt, nameOfModel, partAddresses, partNumber } from '../package/gguf-parts.ts';
import { readGgufHeader, type GgufHeader } from '../package/read-gguf-header.ts';
import { RemoteHeader } from './remote-header.ts';

export interface InspectionEnvironment {
  readonly fetch: typeof fetch;
  readonly chosenFiles: ChosenFiles;
  /** Root address of the site, with a trailing slash. */
  readonly site: string;
  /** Base address of a mirror of the model hosts, with a trailing slash; null for none. */
  readonly mirror: string | null;
}

/** Returns the context window in tokens that a model gets by default. */
export function ggufWindow({ contextLength }: Pick<GgufFacts, 'contextLength'>): number {
  return Math.min(contextLength ?? Infinity, GGUF_DEFAULTS.contextWindow);
}

/**
 * Reads only the header of a GGUF model.
 * @param from The address as the user typed it, or the files that the user chose: one file, or all parts of a split
 * model; with them the file of its image encoder, if it has one.
 * @throws ApiError `invalid_value` with a sentence for the user; DownloadError if the server does not send the header, or the
 * browser cannot read the file.
 */
export async function inspectGguf(
  from: string | readonly File[],
  environment: InspectionEnvironment,
): Promise<ModelSource> {
  try {
    return typeof from === 'string' ? await inspectAddress(from, environment) : await inspectFiles(from, environment);
  } catch (thrown) {
    if (!(thrown instanceof GgufFault)) throw thrown;
    throw new ApiError('invalid_value', thrown.words, { param: 'from', cause: thrown });
  }
}

async function inspectFiles(
  chosen: readonly File[],
  { chosenFiles, site }: InspectionEnvironment,
): Promise<ModelSource> {
  const headerOf = new Map(await Promise.all(chosen.map(async (file) => [file, await readChosen(file)] as const)));
  const encoder = chosen.length > 1 ? chosen.find((file) => headerOf.get(file)!.mmproj !== null) : undefined;
  const files = chosen.filter((file) => file !== encoder);
  const [first, ...others] = files.toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
  if (first === undefined || others.some(({ name }) => nameOfModel(name) !== nameOfModel(first.name)))
    throw new GgufFault(say('severalModels'));
  const { count } = partNumber(first.name) ?? { count: 1 };
  const names = partAddresses(new URL(encodeURIComponent(first.name), site).href).map((address) =>
    decodeURIComponent(address.slice(site.length)),
  );
  const missing = names.filter((name) => files.every((file) => file.name !== name));
  if (missing.length > 0) throw new GgufFault(say('chosenPartsMissing', count, missing));
  const header = headerOf.get(first)!;
  if (header.parts > files.length) throw new GgufFault(say('chosenPartsMissing', header.parts, ['…']));
  const ordered = names.map((name) => files.find((file) => file.name === name)!);
  const facts = factsOf(header, {
    bytes: sumOf(files.map(({ size }) => size)),
    parameters: sumOf(files.map((file) => headerOf.get(file)!.parameters)),
  });
  const source = sourceOf(await chosenFiles.add(ordered, site), facts);
  if (encoder === undefined) return source;
  if (!headerOf.get(encoder)!.mmproj!.seesImages) throw new GgufFault(say('encoderHears'));
  if (facts.embedding) throw new GgufFault(say('encoderOfEmbeddingModel'));
  // Added alone, because it may have the same name as the model's file, in another folder.
  const [mmproj] = await chosenFiles.add([encoder], site);
  return withMmproj(source, mmproj!, encoder.size);
}

/** @throws DownloadError if the browser cannot read the file, such as a folder, or one that is only in a cloud. */
function readChosen(file: File): Promise<GgufHeader> {
  return readGgufHeader(file).catch((thrown: unknown) => {
    throw thrown instanceof DOMException ? unreadableFileError(file, thrown) : thrown;
  });
}

function withMmproj(source: ModelSource, mmproj: string, mmprojBytes: number): ModelSource {
  const facts = source.gguf!;
  const bytes = facts.bytes === null ? null : facts.bytes + mmprojBytes;
  return { ...source, images: true, mmproj, gguf: { ...facts, bytes, mmprojBytes } };
}

async function inspectAddress(typed: string, { fetch, mirror }: InspectionEnvironment): Promise<ModelSource> {
  const { address, sha256 } = await findGguf(typed, fetch, mirror);
  const parts = partAddresses(address);
  const file = {
    name: fileNameAt(parts[0]!) || 'model',
    url: parts[0]!,
    cache: 'tabserve/gguf',
    kind: 'gguf',
    bytes: null,
    md5: null,
  } as const;
  const remote = new RemoteHeader(file, fetch);
  const header = await readGgufHeader(remote);
  if (header.parts !== parts.length) throw new GgufFault(say('chosenPartsMissing', header.parts, ['…']));
  const isWhole = parts.length === 1;
  // A server hides the size of the whole from other origins by default, but not that of what it sends.
  const isKnown = isWhole && Number.isFinite(remote.size);
  const bytes = isKnown ? remote.size : sumOf(await Promise.all(parts.map((part) => sizeOf(part, fetch))));
  return sourceOf(
    parts,
    factsOf(header, {
      bytes: Number.isFinite(bytes) ? bytes : null,
      parameters: isWhole ? header.parameters : null,
      ...(isWhole ? { sha256: sha256(address) } : { sha256OfParts: parts.map(sha256) }),
    }),
  );
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Returns the size of a file in bytes; Infinity if the server does not report it. */
async function sizeOf(address: string, fetch: typeof globalThis.fetch): Promise<number> {
  const response = await withStallTimeout(fetch)(address, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  return Number((response?.ok && response.headers.get('content-length')) || Infinity);
}

function factsOf(
  header: GgufHeader,
  {
    bytes,
    parameters,
    sha256 = null,
    sha256OfParts,
  }: Pick<GgufFacts, 'bytes' | 'parameters'> & Partial<Pick<GgufFacts, 'sha256' | 'sha256OfParts'>>,
): GgufFacts {
  const { architecture, name, licence, quantization, contextLength, hasChatTemplate, cacheBytesPerToken } = header;
  const { slidingCacheBytes } = header;
  const said = { architecture, name, licence, quantization, contextLength, hasChatTemplate, cacheBytesPerToken };
  const embedding = embeddingFacts(header);
  const sliding = slidingCacheBytes > 0 && { slidingCacheBytes };
  const hashes = { sha256, ...(sha256OfParts?.some(Boolean) && { sha256OfParts }) };
  return { ...said, ...sliding, ...(embedding && { embedding }), bytes, parameters, ...hashes };
}

function sourceOf([address]: readonly string[], facts: GgufFacts): ModelSource {
  return {
    id: idOf(nameOfModel(fileNameAt(address!))),
    format: 'gguf',
    modelUrl: address!,
    libraryUrl: '',
    manifest: null,
    contextWindow: ggufWindow(facts),
    images: false,
    ...(facts.embedding && { embedding: true as const }),
    gguf: facts,
  };
}

/** Returns an id that clients and shells take as it is. A name without any letter for it, as in Chinese, gets a general one. */
function idOf(name: string): string {
  return (
    name
      .replaceAll(/[^\w.:@-]+/g, '-')
      .replace(/^-+/, '')
      .slice(0, 100) || 'model'
  );
}
