import { DownloadError, vanishedFileError } from './download-error.ts';

/** Names of the errors with which browsers say that a stored file is gone. */
const GONE: readonly string[] = ['InvalidStateError', 'NotFoundError', 'NotReadableError', 'UnknownError'];

/**
 * Converts what ended a load while its files were fetched or read to an ApiError. The browser itself throws where files are
 * deleted at that moment, as when the site's data are cleared. A fault of this code is returned unchanged.
 * @param name Name of the file, or of the model, that was read.
 */
export function loadFailure(thrown: unknown, name: string): unknown {
  const isGone = thrown instanceof DOMException && GONE.includes(thrown.name);
  const failure = isGone ? vanishedFileError({ name }, thrown) : thrown;
  return failure instanceof DownloadError ? failure.toApiError() : failure;
}
