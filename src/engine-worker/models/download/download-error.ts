import type { DownloadFailure } from '../../../shared/models/model-management.ts';
import { downloadFailureStrings as strings } from '../../strings/download-failures.ts';
import { PolicyBlockError } from './download-environment.ts';
import type { PackageFile } from '../package/package-file.ts';

export interface DownloadErrorOptions {
  readonly transient?: boolean;
  readonly corrupt?: boolean;
  readonly retryAfter?: number | null;
  readonly cause?: unknown;
}

/** Error of a download. {@link DownloadError.failure} is what the user sees. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError' as const;
  readonly failure: DownloadFailure;
  /** Whether a retry may succeed. */
  readonly transient: boolean;
  /** Whether the received data failed a check and must be discarded. */
  readonly corrupt: boolean;
  /** Milliseconds that the server asked to wait; null if it did not. */
  readonly retryAfter: number | null;

  constructor(failure: DownloadFailure, options: DownloadErrorOptions = {}) {
    super(`${failure.message} ${failure.remedy}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.failure = failure;
    this.transient = options.transient ?? false;
    this.corrupt = options.corrupt ?? false;
    this.retryAfter = options.retryAfter ?? null;
  }
}

/**
 * Error of a request without a response: the connection failed, the Content-Security-Policy blocked it, or the server
 * sent nothing for too long ({@link withStallTimeout}).
 */
export function networkError(packageFile: PackageFile, thrown: unknown): DownloadError {
  const { name: file, url } = packageFile;
  const { host } = new URL(url);
  const { name = '' } = thrown instanceof DOMException ? thrown : {};
  if (name === 'NotFoundError' || name === 'NotReadableError') return unreadableFileError(packageFile, thrown);
  if (thrown instanceof PolicyBlockError) {
    const sentences = thrown.isRedirected ? strings.blockedRedirect : strings.blocked;
    return new DownloadError({ file, cause: 'network', ...sentences(file, url, thrown.directive) }, { cause: thrown });
  }
  const sentences =
    name === 'TimeoutError' ? strings.silent(file, host) : strings.network(file, host, isElsewhere(url));
  return new DownloadError({ file, cause: 'network', ...sentences }, { transient: true, cause: thrown });
}

function isElsewhere(url: string): boolean {
  return new URL(url).origin !== globalThis.location?.origin;
}

export function httpError({ name: file, url }: PackageFile, { status, headers }: Response): DownloadError {
  const transient = status === 408 || status === 425 || status === 429 || status >= 500;
  const seconds = Number(headers.get('retry-after'));
  const retryAfter = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
  const sentences = strings.http(file, url, status, isElsewhere(url));
  return new DownloadError({ file, cause: 'http', ...sentences }, { transient, retryAfter });
}

export function quotaError(file: PackageFile, cause: unknown): DownloadError {
  return new DownloadError({ file: file.name, cause: 'quota', ...strings.quota(file.name) }, { cause });
}

export function quotaAheadError(neededBytes: number, freeBytes: number): DownloadError {
  return new DownloadError({ file: null, cause: 'quota', ...strings.quotaAhead(neededBytes, freeBytes) });
}

/** Creates the error for a server that sent more bytes than the package states: it sends a different file. */
export function tooLongError({ name: file, bytes }: PackageFile, received: number): DownloadError {
  const failure = { file, cause: 'size', ...strings.tooLong(file, bytes, received) } as const;
  return new DownloadError(failure, { transient: true, corrupt: true });
}

/** Creates the error for a response that ended too early without an error. A retry may get the rest. */
export function tooShortError({ name: file, bytes }: PackageFile, received: number): DownloadError {
  return new DownloadError({ file, cause: 'size', ...strings.tooShort(file, bytes, received) }, { transient: true });
}

export function checksumError({ name: file, md5 }: PackageFile, received: string): DownloadError {
  const failure = { file, cause: 'integrity', ...strings.checksum(file, md5, received) } as const;
  return new DownloadError(failure, { transient: true, corrupt: true });
}

export function sha256Error({ name: file, sha256 = null }: PackageFile, received: string): DownloadError {
  const failure = { file, cause: 'integrity', ...strings.checksum(file, sha256, received) } as const;
  return new DownloadError(failure, { corrupt: true });
}

/** Creates the error for a file that the user chose and that can no longer be read. */
function unreadableFileError({ name: file }: PackageFile, cause: unknown): DownloadError {
  return new DownloadError({ file, cause: 'unreadable', ...strings.unreadable(file) }, { cause });
}

/** Creates the error for a file that the browser could not store. Browsers give no reason; usually the disk is full. */
export function storageError({ name: file }: PackageFile, cause: unknown): DownloadError {
  return new DownloadError({ file, cause: 'storage', ...strings.storage(file) }, { cause });
}

/**
 * Creates the error for a file with wrong content.
 * @param expected The end of the sentence "… is not …", such as `JSON`.
 */
export function contentError({ name: file, url }: PackageFile, expected: string, cause?: unknown): DownloadError {
  return new DownloadError(
    { file, cause: 'content', ...strings.content(file, expected, url) },
    { corrupt: true, cause },
  );
}

/**
 * Creates the error for a package whose list of files names one outside the package. It may belong to another model.
 */
export function foreignFileError({ name: file, url }: PackageFile, address: string): DownloadError {
  return new DownloadError({ file, cause: 'content', ...strings.foreignFile(file, url, address) }, { corrupt: true });
}

/**
 * Creates the error for a model that another tab is downloading with another build of the site, as may happen after an
 * update.
 */
export function otherVersionError(): DownloadError {
  return new DownloadError({ file: null, cause: 'internal', ...strings.otherVersion });
}

export function internalError(thrown: unknown): DownloadError {
  return new DownloadError({ file: null, cause: 'internal', ...strings.internal }, { cause: thrown });
}

export function isQuotaExceeded(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'QuotaExceededError';
}
