import { compareSamples } from './compare-samples.ts';
import { httpError, networkError, otherSizeError, pageError, type DownloadError } from './download-error.ts';
import { isSameVersion, versionIn, type FileVersion } from './file-version.ts';
import type { PackageFile } from '../package/package-file.ts';
import type { PartialFile } from './partial-file.ts';

export interface FileResponse {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Where in the file the body begins. */
  readonly from: number;
  /** Size of the whole file; null if unknown. */
  readonly total: number | null;
  /** The same, but null unless package or server state it for certain. */
  readonly bytes: number | null;
  readonly version: FileVersion;
  /** Whether the body is another version of the file, so that stored pieces must be deleted. */
  readonly restarted: boolean;
  /** False if the server ignored the range request. */
  readonly resumable: boolean;
}

/**
 * Requests the missing rest of a file.
 * @throws DownloadError if the server does not send it; the signal's reason if it aborts.
 */
export async function rangeRequest(
  file: PackageFile,
  partial: PartialFile,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<FileResponse> {
  const from = (byte: number, to?: number) => request(file, byte, fetch, signal, to);
  const response = await from(partial.bytes);
  if (partial.bytes === 0) return fileResponse(file, response, { restarted: false, resumable: true });
  const refusal = refusalOf(file, response, partial);
  if (refusal !== null) {
    await response.body?.cancel();
    throw refusal;
  }
  const isSame = isSameVersion(partial.version, versionIn(response.headers));
  if (response.status === 200 && isSame === false)
    return fileResponse(file, response, { restarted: true, resumable: false });
  const rest = (response: Response) => {
    const resumable = response.status !== 200;
    const got = fileResponse(file, response, { restarted: false, resumable }, resumable ? partial.bytes : 0);
    // All pieces get the version of the first, also where the date has changed and the bytes have not.
    const { etag, modified } = partial.version;
    return { ...got, version: { etag: etag ?? got.version.etag, modified: modified ?? got.version.modified } };
  };
  // A server that ignores the range sends also what is here. It may not ignore it the next time, so that stays.
  if (response.status === 200 || (continues(response, partial) && isSame)) return rest(response);
  // Ended before anything else is requested: a small server may serve one request after the other.
  await response.body?.cancel();
  const end = () => compareSamples(file, partial, from, signal);
  if (continues(response, partial) && isSame === null && (await end()) === 'on') {
    const again = await from(partial.bytes);
    if (continues(again, partial)) return rest(again);
    await again.body?.cancel();
  }
  if (response.status === 416 && (await isComplete(response, partial, end))) {
    // The previous worker ended before it could record that.
    const { bytes: total, version } = partial;
    if (file.bytes !== null && total !== file.bytes) throw otherSizeError(file, total);
    const kind = { restarted: false, resumable: true };
    return { body: new Blob().stream(), from: total, total, bytes: total, version, ...kind };
  }
  // The response does not continue the partial file: its status is 416, or the file has another version. So the file is
  // fetched from its start.
  return fileResponse(file, await from(0), { restarted: true, resumable: true });
}

async function request(
  file: PackageFile,
  from: number,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
  to?: number,
): Promise<Response> {
  // Without `no-store` the HTTP cache would keep a second copy of every file.
  const init: RequestInit = { signal, cache: 'no-store' };
  if (from > 0 || to !== undefined) init.headers = { range: `bytes=${from}-${to === undefined ? '' : to - 1}` };
  const response = await fetch(file.url, init).catch((thrown: unknown) => {
    signal.throwIfAborted();
    throw networkError(file, thrown);
  });
  if (response.ok || (response.status === 416 && from > 0)) return response;
  await response.body?.cancel();
  throw httpError(file, response);
}

/**
 * Returns why a response is no reason to delete what has arrived, although it does not continue that: many sites send a page in
 * place of a file that they do not have, and a file of another size than expected would be fetched in vain. Null if it is one.
 */
function refusalOf(file: PackageFile, { status, headers }: Response, partial: PartialFile): DownloadError | null {
  if (status === 200) return /^text\/html/i.test(headers.get('content-type') ?? '') ? pageError(file) : null;
  const stated = statedBytes(headers);
  // What has arrived may be longer than the file by now.
  if (status === 416 && stated === null) return null;
  const rest = status === 206 ? Number(headers.get('content-length') ?? 0) : 0;
  // A server may send a part of the rest only.
  const total = stated ?? Math.max(file.bytes ?? 0, partial.bytes + rest);
  return file.bytes === null || total === file.bytes ? null : otherSizeError(file, total);
}

/** Returns the size of the whole file that a server states with a part of it; null if it states none, or hides it. */
function statedBytes(headers: Headers): number | null {
  const [, stated] = /\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
  return stated === undefined ? null : Number(stated);
}

/** Whether the response begins where the partial file ends. Servers hide `Content-Range` from other origins by default. */
function continues({ status, headers }: Response, partial: PartialFile): boolean {
  const start = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1];
  return status === 206 && (start === undefined || Number(start) === partial.bytes);
}

/** Whether the server has nothing to send because the partial file is the whole file. */
async function isComplete(
  { headers }: Response,
  partial: PartialFile,
  end: () => ReturnType<typeof compareSamples>,
): Promise<boolean> {
  const range = headers.get('content-range');
  return range === null ? (await end()) === 'complete' : range === `bytes */${partial.bytes}`;
}

function fileResponse(
  file: PackageFile,
  response: Response,
  kind: Pick<FileResponse, 'restarted' | 'resumable'>,
  from = 0,
): FileResponse {
  if (response.body === null) throw httpError(file, response);
  // The length of a compressed response is not the length of the file.
  const length = response.headers.has('content-encoding') ? null : response.headers.get('content-length');
  const bytes = file.bytes ?? statedBytes(response.headers);
  const total = bytes ?? (length === null ? null : from + Number(length));
  return { body: response.body, from, total, bytes, version: versionIn(response.headers), ...kind };
}
