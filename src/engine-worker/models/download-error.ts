import type { DownloadFailure } from '../../shared/model-management.ts';

export interface DownloadErrorOptions {
  readonly passing?: boolean;
  readonly distrust?: boolean;
  readonly retryAfter?: number | null;
  readonly cause?: unknown;
}

/** What a download throws when it cannot go on by itself; {@link DownloadError.failure} is what people see. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError' as const;
  readonly failure: DownloadFailure;
  /** Whether the same request may well succeed a little later. */
  readonly passing: boolean;
  /** Whether what has arrived of the file is worthless, because it failed a check. */
  readonly distrust: boolean;
  /** Milliseconds the server asked to wait, if it did. */
  readonly retryAfter: number | null;

  constructor(failure: DownloadFailure, options: DownloadErrorOptions = {}) {
    super(`${failure.message} ${failure.remedy}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.failure = failure;
    this.passing = options.passing ?? false;
    this.distrust = options.distrust ?? false;
    this.retryAfter = options.retryAfter ?? null;
  }
}
