import { ApiError } from '../api-error.ts';
import { diskFull } from './disk-full.ts';
import { trace } from '../trace/trace.ts';
import { withTimeout } from '../timeout.ts';

/** Milliseconds within which a database must open. */
const OPEN_TIMEOUT = 3000;

/** Milliseconds after a failure before another attempt to open the database. */
const RETRY_DELAY = 10_000;

/**
 * A database connection of this context. It is opened on first use, and reopened after it was closed. If the browser
 * cannot open it (a read-only or full profile, no quota, a deletion that another tab blocks), the first caller fails
 * after a timeout and later callers fail immediately.
 */
export class DatabaseConnection<Database> {
  readonly #connect: (closed: () => void) => Promise<Database>;
  #opening: Promise<Database> | null = null;
  #failure: { readonly error: ApiError; readonly until: number } | null = null;

  /** @param connect Opens the database. Calls `closed` when that connection can no longer be used. */
  constructor(connect: (closed: () => void) => Promise<Database>) {
    this.#connect = connect;
  }

  /**
   * The latest attempt to open the database, if it is pending or has succeeded. It may outlast the timeout of
   * {@link open}.
   */
  get opening(): Promise<Database> | null {
    return this.#opening;
  }

  /**
   * Returns the connection, and opens it if necessary.
   * @throws ApiError `storage_unavailable` if the database does not open within {@link OPEN_TIMEOUT}, or failed
   * recently.
   */
  async open(): Promise<Database> {
    if (this.#failure && performance.now() < this.#failure.until) throw this.#failure.error;
    const opening = (this.#opening ??= this.#open());
    const opened = await withTimeout(OPEN_TIMEOUT, opening, slowToOpen()).catch(storageUnavailable);
    if (!(opened instanceof ApiError)) return opened;
    const error = opened;
    // The database may still open late: callers fail until it does, and succeed from then on.
    if (this.#opening === opening) this.#failure = { error, until: Number.POSITIVE_INFINITY };
    else this.#failure = { error, until: performance.now() + RETRY_DELAY };
    trace('database', error.message, String(error.cause));
    throw error;
  }

  /**
   * Runs steps of the database, which is opened if necessary.
   * @throws ApiError `storage_unavailable` if it cannot be opened, or a step fails: the disk is full, or another tab deletes
   * the database. What `run` throws as an ApiError is thrown unchanged.
   */
  async use<Result>(run: (database: Database) => Promise<Result>): Promise<Result> {
    const database = await this.open();
    try {
      return await run(database);
    } catch (thrown) {
      throw thrown instanceof DOMException && thrown.name === 'QuotaExceededError'
        ? diskFull(thrown)
        : storageUnavailable(thrown);
    }
  }

  #open(): Promise<Database> {
    const forget = () => {
      if (this.#opening === opening) this.#opening = null;
    };
    // In an async function, so that an exception of `#connect` becomes a rejection.
    const opening: Promise<Database> = (async () => this.#connect(forget))();
    opening.then(
      () => (this.#failure = null),
      () => {
        forget();
        // The attempt failed after its timeout: allow another attempt after the delay.
        this.#failure &&= { ...this.#failure, until: performance.now() + RETRY_DELAY };
      },
    );
    return opening;
  }
}

/**
 * Returns options for `openDB` that close the connection when it blocks an upgrade or a deletion by another tab, which
 * would otherwise wait forever.
 * @param closed Called when the connection was closed, here or by the browser.
 */
export function closeWhenBlocking(closed: () => void) {
  return {
    blocking(_current: number, _blocked: number | null, event: IDBVersionChangeEvent): void {
      closed();
      (event.target as IDBDatabase).close();
    },
    terminated: closed,
  };
}

/** The error of a database that neither opens nor fails, and may open later. */
function slowToOpen(): ApiError {
  return new ApiError(
    'storage_unavailable',
    `The database of this site has not opened within ${OPEN_TIMEOUT / 1000} seconds: this device is busy, or another tab of the site keeps the database from being deleted. Try again in a moment; if that does not help, close the other tabs of the site.`,
  );
}

/** Wraps an error of the database in an ApiError; returns an ApiError unchanged. */
export function storageUnavailable(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  return new ApiError(
    'storage_unavailable',
    'This browser does not open the database of this site: its profile may be private, full or read-only. Make room on the disk, or leave the private window.',
    { cause },
  );
}
