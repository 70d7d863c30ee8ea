import { DownloadError } from './download-error.ts';
import type { PackageFile } from './package-file.ts';

/** The connection could not be made or broke off. A blocked address looks the same from inside a page. */
export function networkError(file: PackageFile, thrown: unknown): DownloadError {
  const { host } = new URL(file.url);
  const elsewhere = new URL(file.url).origin !== globalThis.location?.origin;
  return new DownloadError(
    {
      file: file.name,
      cause: 'network',
      message: `The connection to ${host} failed while fetching ${file.name}.`,
      remedy: elsewhere
        ? `Check the network, and whether this site's Content-Security-Policy and ${host} itself allow the download from here.`
        : 'Check the network and resume.',
    },
    { passing: true, cause: thrown },
  );
}

export function httpError(file: PackageFile, response: Response): DownloadError {
  const { status } = response;
  const passing = status === 408 || status === 425 || status === 429 || status >= 500;
  const seconds = Number(response.headers.get('retry-after'));
  return new DownloadError(
    {
      file: file.name,
      cause: 'http',
      message: `${new URL(file.url).host} answered ${status} for ${file.name}.`,
      remedy: remedyFor(status),
    },
    { passing, retryAfter: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null },
  );
}

function remedyFor(status: number): string {
  if (status === 404 || status === 410)
    return 'The package does not have this file at that address: check the address, or choose another model.';
  if (status === 401 || status === 403) return 'The package is not public: choose another model.';
  if (status === 429) return 'The server asks for a pause: resume in a few minutes.';
  return 'The server has trouble: resume later. What has arrived is kept.';
}

export function quotaError(file: PackageFile | null, cause?: unknown): DownloadError {
  return new DownloadError(
    {
      file: file?.name ?? null,
      cause: 'quota',
      message:
        file === null
          ? 'The browser has no room left for this model.'
          : `The browser had no room left for ${file.name}.`,
      remedy: 'Delete a model here or free disk space, then resume. What has arrived is kept.',
    },
    { cause },
  );
}

/** Found before anything was fetched: better than to fail at the last gigabyte. */
export function tooLittleRoomError(neededBytes: number, freeBytes: number): DownloadError {
  return new DownloadError({
    file: null,
    cause: 'quota',
    message: `The model needs ${inMegabytes(neededBytes)} more and the browser grants this site ${inMegabytes(freeBytes)}.`,
    remedy: 'Delete a model here, free disk space or choose a smaller model, then resume.',
  });
}

const DAMAGED =
  'The copy on the server is damaged or was changed meanwhile: cancel and download afresh, or choose another model.';

/** More than announced came: this is some other file. */
export function longError(file: PackageFile, received: number): DownloadError {
  return new DownloadError(
    {
      file: file.name,
      cause: 'size',
      message: `${file.name} has more than the ${inBytes(file.bytes)} the package announces; ${inBytes(received)} came.`,
      remedy: DAMAGED,
    },
    { passing: true, distrust: true },
  );
}

/** The answer ended in good order before the file did. Servers behind a cache do this; the rest may still come. */
export function shortError(file: PackageFile, received: number): DownloadError {
  return new DownloadError(
    {
      file: file.name,
      cause: 'size',
      message: `${file.name} ended after ${inBytes(received)} where the package announces ${inBytes(file.bytes)}.`,
      remedy: DAMAGED,
    },
    { passing: true },
  );
}

export function integrityError(file: PackageFile, md5: string): DownloadError {
  return new DownloadError(
    {
      file: file.name,
      cause: 'integrity',
      message: `${file.name} arrived with the checksum ${md5} where the package says ${file.md5 ?? ''}.`,
      remedy: DAMAGED,
    },
    { passing: true, distrust: true },
  );
}

/** The browser refused to store a file for a reason it does not tell. A full disk is the usual one. */
export function storageError(file: PackageFile, cause: unknown): DownloadError {
  return new DownloadError(
    {
      file: file.name,
      cause: 'storage',
      message: `The browser could not store ${file.name}.`,
      remedy: 'Free disk space and resume. In a private window, use a normal one.',
    },
    { cause },
  );
}

export function contentError(file: PackageFile, expected: string, cause?: unknown): DownloadError {
  return new DownloadError(
    {
      file: file.name,
      cause: 'content',
      message: `${file.name} is not ${expected}.`,
      remedy: `Open ${file.url} to see what is there: a sign-in page or a wrong address are the usual reasons.`,
    },
    { distrust: true, cause },
  );
}

function inBytes(bytes: number | null): string {
  return `${(bytes ?? 0).toLocaleString('en')} bytes`;
}

function inMegabytes(bytes: number): string {
  return `${Math.max(0, Math.round(bytes / 1e6)).toLocaleString('en')} MB`;
}

/** Two builds of the site may run side by side for a while after an update. */
export function elsewhereError(): DownloadError {
  return new DownloadError({
    file: null,
    cause: 'internal',
    message: 'Another tab with another version of this page is downloading this model already.',
    remedy: 'Reload all tabs of this site, then resume.',
  });
}

export function internalError(thrown: unknown): DownloadError {
  return new DownloadError(
    {
      file: null,
      cause: 'internal',
      message: 'Something went wrong inside Tabserve.',
      remedy: 'The browser console has the details. Resuming may help.',
    },
    { cause: thrown },
  );
}

export function isQuotaExceeded(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'QuotaExceededError';
}
