import { httpError, networkError } from './download-error.ts';
import type { PackageFile } from '../package/package-file.ts';
import type { PartialFile } from './partial-file.ts';

export interface FileResponse {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Size of the whole file; null if unknown. */
  readonly total: number | null;
  readonly etag: string | null;
  /** Whether the body is the whole file from its beginning, so that stored pieces must be deleted. */
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
  const response = await request(file, partial.bytes, fetch, signal);
  if (partial.bytes === 0) return fileResponse(file, response, { restarted: false, resumable: true });
  if (response.status === 200) return fileResponse(file, response, { restarted: true, resumable: false });
  if (response.status === 206 && continues(response, partial)) {
    return fileResponse(file, response, { restarted: false, resumable: true }, partial.bytes);
  }
  if (response.status === 416 && response.headers.get('content-range') === `bytes */${partial.bytes}`) {
    // The file is already complete. The previous worker ended before it could record that.
    await response.body?.cancel();
    return { body: new Blob().stream(), total: partial.bytes, etag: partial.etag, restarted: false, resumable: true };
  }
  // The response does not continue the partial file: its status is 416, or the file has another version. So the file is
  // fetched from its start.
  await response.body?.cancel();
  return fileResponse(file, await request(file, 0, fetch, signal), { restarted: true, resumable: true });
}

async function request(
  file: PackageFile,
  from: number,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<Response> {
  // Without `no-store` the HTTP cache would keep a second copy of every file.
  const init: RequestInit = { signal, cache: 'no-store' };
  if (from > 0) init.headers = { range: `bytes=${from}-` };
  const response = await fetch(file.url, init).catch((thrown: unknown) => {
    signal.throwIfAborted();
    throw networkError(file, thrown);
  });
  if (response.ok || (response.status === 416 && from > 0)) return response;
  await response.body?.cancel();
  throw httpError(file, response);
}

/**
 * Whether the response continues the partial file, judged by `Content-Range` and `ETag`. Cross-origin servers hide both
 * headers by default. Without them the response counts as continuing; the checks of size and checksum after the
 * download detect a mismatch.
 */
function continues(response: Response, partial: PartialFile): boolean {
  const start = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1];
  if (start !== undefined && Number(start) !== partial.bytes) return false;
  const etag = response.headers.get('etag');
  return etag === null || partial.etag === null || etag === partial.etag;
}

function fileResponse(
  file: PackageFile,
  response: Response,
  kind: Pick<FileResponse, 'restarted' | 'resumable'>,
  before = 0,
): FileResponse {
  if (response.body === null) throw httpError(file, response);
  // The length of a compressed response is not the length of the file.
  const length = response.headers.has('content-encoding') ? null : response.headers.get('content-length');
  const total = file.bytes ?? (length === null ? null : before + Number(length));
  return { body: response.body, total, etag: response.headers.get('etag'), ...kind };
}
