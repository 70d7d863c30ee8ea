/** What a download needs of the world, so that tests can script it. */
export interface DownloadEnvironment {
  readonly fetch: typeof fetch;
  readonly caches: CacheStorage;
  /** What the browser says about room: bytes used by this site, and the most it may use. */
  estimate(): Promise<{ readonly usage: number; readonly quota: number }>;
  /**
   * Does the work, and at the same time keeps every other worker of this site from doing work of that
   * name. Null, without doing it, where another is at it already.
   */
  exclusively<Result>(name: string, work: () => Promise<Result>): Promise<Result | null>;
  /** Milliseconds of a clock that does not jump. */
  now(): number;
  /** Resolves after so many milliseconds, or earlier when waiting longer is pointless. Rejects when aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}
