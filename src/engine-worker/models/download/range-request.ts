import { httpError, networkError } from './download-error.ts';
import type { PackageFile } from '../package/package-file.ts';
import type { PartialFile } from './partial-file.ts';

/** An answer that carries a file, or the rest of it. */
export interface FileResponse {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Size of the whole file, as far as package or server tell. */
  readonly total: number | null;
  readonly etag: string | null;
  /** The whole file comes although only the rest was asked for: what is there must go. */
  readonly restarted: boolean;
  /** False once the server has ignored a request for a part. */
  readonly resumable: boolean;
}

/**
 * Asks for what is missing of a file.
 * @throws DownloadError; the signal's reason when aborted.
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
  // 416: there is no such rest, so the file has changed. Take the new one from its start.
  await response.body?.cancel();
  return fileResponse(file, await request(file, 0, fetch, signal), { restarted: true, resumable: true });
}

async function request(
  file: PackageFile,
  from: number,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<Response> {
  // The HTTP cache would keep every gigabyte a second time.
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
 * Both headers are hidden from other origins unless the server exposes them. Then the check of the whole
 * file decides.
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
  // The length of a compressed answer is not that of the file.
  const length = response.headers.has('content-encoding') ? null : response.headers.get('content-length');
  const total = file.bytes ?? (length === null ? null : before + Number(length));
  return { body: response.body, total, etag: response.headers.get('etag'), ...kind };
}
