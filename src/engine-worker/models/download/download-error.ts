import { ApiError } from '../../../shared/api-error.ts';
import type { CodedText } from '../../../shared/coded-sentence.ts';
import type { DownloadFailure } from '../../../shared/models/model-management.ts';
import { joinTexts, say } from '../../strings/say.ts';
import type { GgufFault } from '../package/gguf-cursor.ts';
import { isChosen } from './chosen-files.ts';
import { PolicyBlockError, StrictSiteError } from './download-environment.ts';
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
  /** What happened. */
  readonly fault: CodedText;
  /** What happened, and what to do about it. */
  readonly words: CodedText;
  /** Whether a retry may succeed. */
  readonly transient: boolean;
  /** Whether the received data failed a check and must be discarded. */
  readonly corrupt: boolean;
  /** Milliseconds that the server asked to wait; null if it did not. */
  readonly retryAfter: number | null;

  constructor(
    { file, cause }: Pick<DownloadFailure, 'file' | 'cause'>,
    fault: CodedText,
    remedy: CodedText,
    options: DownloadErrorOptions = {},
  ) {
    const words = joinTexts(fault, remedy);
    super(words.text, options.cause === undefined ? undefined : { cause: options.cause });
    const sentences = [fault.sentences[0]!, remedy.sentences[0]!] as const;
    this.failure = { file, cause, message: fault.text, remedy: remedy.text, sentences };
    this.fault = fault;
    this.words = words;
    this.transient = options.transient ?? false;
    this.corrupt = options.corrupt ?? false;
    this.retryAfter = options.retryAfter ?? null;
  }

  /** @param param The field of a call to which the failed address belongs. Default: null. */
  toApiError(param: string | null = null): ApiError {
    return new ApiError('model_load_failed', this.words, { param, cause: this });
  }
}

/**
 * Error of a request without a response: the connection failed, the Content-Security-Policy blocked it, the site is
 * strict, or the server sent nothing for too long ({@link withStallTimeout}).
 */
export function networkError(packageFile: PackageFile, thrown: unknown): DownloadError {
  const { name: file, url } = packageFile;
  const { host } = new URL(url);
  const { name = '' } = thrown instanceof DOMException ? thrown : {};
  if (name === 'NotFoundError' || name === 'NotReadableError') return unreadableFileError(packageFile, thrown);
  const failure = { file, cause: 'network' } as const;
  if (thrown instanceof StrictSiteError)
    return new DownloadError(failure, say('siteIsStrict', thrown.message), say('takeModelOfSite'), { cause: thrown });
  if (thrown instanceof PolicyBlockError) {
    const { directive } = thrown;
    return thrown.isRedirected
      ? new DownloadError(
          failure,
          say('policyBlocksRedirect', host, file),
          say('addOriginOfRedirect', url, directive),
          {
            cause: thrown,
          },
        )
      : new DownloadError(failure, say('policyBlocks', file, url), say('addOrigin', directive), { cause: thrown });
  }
  const options = { transient: true, cause: thrown };
  if (name === 'TimeoutError')
    return new DownloadError(failure, say('serverSilent', host, file), say('checkNetworkKept'), options);
  const remedy = isElsewhere(url) ? say('checkNetworkAndPolicy', host) : say('checkNetwork');
  return new DownloadError(failure, say('connectionFailed', host, file), remedy, options);
}

function isElsewhere(url: string): boolean {
  return new URL(url).origin !== globalThis.location?.origin;
}

export function httpError({ name: file, url }: PackageFile, { status, headers }: Response): DownloadError {
  const transient = status === 408 || status === 425 || status === 429 || status >= 500;
  const seconds = Number(headers.get('retry-after'));
  const retryAfter = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
  const fault = say('serverAnswered', new URL(url).host, status, file);
  return new DownloadError({ file, cause: 'http' }, fault, httpRemedy(url, status), { transient, retryAfter });
}

function httpRemedy(url: string, status: number): CodedText {
  if (status === 404 || status === 410) return isElsewhere(url) ? say('checkAddress', url) : say('copyFilesTo', url);
  if (status === 401 || status === 403) return say('packageNotPublic');
  return status === 429 ? say('serverAsksForPause') : say('serverHasTrouble');
}

export function quotaError({ name: file }: Pick<PackageFile, 'name'>, cause: unknown): DownloadError {
  return new DownloadError({ file, cause: 'quota' }, say('noRoomForFile', file), say('freeSpaceKept'), { cause });
}

export function quotaAheadError(neededBytes: number, freeBytes: number): DownloadError {
  const fault = say('noRoomForModel', neededBytes, freeBytes);
  return new DownloadError({ file: null, cause: 'quota' }, fault, say('freeSpaceOrSmaller'));
}

/** Creates the error for a server that sent more bytes than the package states: it sends a different file. */
export function tooLongError({ name: file, bytes }: PackageFile, received: number): DownloadError {
  const fault = say('fileTooLong', file, bytes ?? 0, received);
  return new DownloadError({ file, cause: 'size' }, fault, say('downloadAfresh'), { transient: true, corrupt: true });
}

/** Creates the error for a file that has another size on its server by now. What has arrived before is kept. */
export function otherSizeError(packageFile: PackageFile, received: number): DownloadError {
  const { failure, fault } = (received > (packageFile.bytes ?? 0) ? tooLongError : tooShortError)(
    packageFile,
    received,
  );
  return new DownloadError(failure, fault, say('downloadAfresh'));
}

/**
 * Creates the error for a file whose beginning on its server is not the one that has arrived before. A retry gets the other
 * file.
 */
export function replacedError({ name: file }: PackageFile): DownloadError {
  return new DownloadError({ file, cause: 'content' }, say('fileReplaced', file), say('downloadAfresh'), {
    transient: true,
    corrupt: true,
  });
}

/** Creates the error for a server that sends a page in place of the rest of a file. What has arrived before is kept. */
export function pageError({ name: file, url }: PackageFile): DownloadError {
  return new DownloadError({ file, cause: 'content' }, say('fileReplaced', file), say('openAddress', url));
}

/** Creates the error for a response that ended too early without an error. A retry may get the rest. */
export function tooShortError({ name: file, bytes }: PackageFile, received: number): DownloadError {
  const fault = say('fileTooShort', file, received, bytes ?? 0);
  return new DownloadError({ file, cause: 'size' }, fault, say('downloadAfresh'), { transient: true });
}

export function checksumError({ name: file, md5 }: PackageFile, received: string): DownloadError {
  return wrongChecksum(file, received, md5, { transient: true, corrupt: true });
}

export function sha256Error({ name: file, sha256 = null }: PackageFile, received: string): DownloadError {
  return wrongChecksum(file, received, sha256, { corrupt: true });
}

function wrongChecksum(
  file: string,
  received: string,
  announced: string | null,
  options: DownloadErrorOptions,
): DownloadError {
  const fault = say('wrongChecksum', file, received, announced ?? '');
  return new DownloadError({ file, cause: 'integrity' }, fault, say('downloadAfresh'), options);
}

/** Creates the error for a file that the user chose and that can no longer be read. */
export function unreadableFileError({ name: file }: Pick<PackageFile, 'name'>, cause: unknown): DownloadError {
  const fault = say('fileUnreadable', file);
  return new DownloadError({ file, cause: 'unreadable' }, fault, say('chooseFileAgain'), { cause });
}

/** Creates the error for a file of a model that was deleted while that was being loaded, as when the site's data are cleared. */
export function vanishedFileError({ name: file }: Pick<PackageFile, 'name'>, cause?: unknown): DownloadError {
  const failure = { file, cause: 'storage' } as const;
  return new DownloadError(failure, say('fileUnreadable', file), say('loadAgainAfterDeletion'), { cause });
}

/** Creates the error for a file that the browser could not store. Browsers give no reason; usually the disk is full. */
export function storageError({ name: file }: PackageFile, cause: unknown): DownloadError {
  return new DownloadError({ file, cause: 'storage' }, say('fileNotStored', file), say('freeDiskSpace'), { cause });
}

/**
 * Creates the error for a file with wrong content.
 * @param expected The end of the sentence "… is not …", such as `JSON`.
 */
export function contentError({ name: file, url }: PackageFile, expected: string, cause?: unknown): DownloadError {
  const fault = say('wrongContent', file, expected);
  return new DownloadError({ file, cause: 'content' }, fault, say('openAddress', url), { corrupt: true, cause });
}

/** Creates the error for a GGUF file that was received completely, but is damaged or of another kind. */
export function ggufError({ name: file, url }: PackageFile, cause: GgufFault): DownloadError {
  const remedy = isChosen(url) ? say('downloadAfresh') : say('openAddress', url);
  return new DownloadError({ file, cause: 'content' }, cause.words, remedy, { corrupt: true, cause });
}

/**
 * Creates the error for a package whose list of files names one outside the package. It may belong to another model.
 */
export function foreignFileError({ name: file, url }: PackageFile, address: string): DownloadError {
  const fault = say('fileOutsidePackage', file, address.slice(0, 200));
  return new DownloadError({ file, cause: 'content' }, fault, say('correctList', url), { corrupt: true });
}

/**
 * Creates the error for a model that another tab is downloading with another build of the site, as may happen after an
 * update.
 */
export function otherVersionError(): DownloadError {
  return new DownloadError({ file: null, cause: 'internal' }, say('downloadsInOtherTab'), say('reloadAllTabs'));
}

export function internalError(thrown: unknown): DownloadError {
  const failure = { file: null, cause: 'internal' } as const;
  return new DownloadError(failure, say('internalFault'), say('seeConsole'), { cause: thrown });
}

export function isQuotaExceeded(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'QuotaExceededError';
}
