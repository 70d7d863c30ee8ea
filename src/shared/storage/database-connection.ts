import { ApiError } from '../api-error.ts';
import { trace } from '../trace/trace.ts';
import { withTimeout } from '../timeout.ts';

/** Milliseconds that a database may take to open. */
const OPEN_TIME = 3000;

/** Milliseconds for which it is not tried again after it failed. */
const FAILURE_TIME = 10_000;

/**
 * A database as one context uses it: opened when it is needed, anew when it was closed. Where the browser opens none (a
 * read-only or full profile, no room granted, a deletion that waits for another tab) whoever asks is told so soon, and
 * those who come next at once.
 */
export class DatabaseConnection<Database> {
  readonly #connect: (closed: () => void) => Promise<Database>;
  #opening: Promise<Database> | null = null;
  #failure: { readonly error: ApiError; readonly until: number } | null = null;

  /** @param connect Opens it. Calls back when that connection is of no more use. */
  constructor(connect: (closed: () => void) => Promise<Database>) {
    this.#connect = connect;
  }

  /** @throws ApiError `storage_unavailable` within {@link OPEN_TIME}. */
  async open(): Promise<Database> {
    if (this.#failure && performance.now() < this.#failure.until) throw this.#failure.error;
    const opening = (this.#opening ??= this.#open());
    let cause: unknown = 'It took too long.';
    const database = await withTimeout(OPEN_TIME, opening, null).catch((thrown: unknown) => {
      cause = thrown;
      return null;
    });
    if (database !== null) return database;
    const error = storageUnavailable(cause);
    // One that is only late is waited for no longer; once it is open it is used.
    if (this.#opening === opening) this.#failure = { error, until: Number.POSITIVE_INFINITY };
    else this.#failure = { error, until: performance.now() + FAILURE_TIME };
    trace('database', error.message, String(cause));
    throw error;
  }

  #open(): Promise<Database> {
    const forget = () => {
      if (this.#opening === opening) this.#opening = null;
    };
    // What is thrown at once counts like what is thrown later.
    const opening: Promise<Database> = (async () => this.#connect(forget))();
    opening.then(
      () => (this.#failure = null),
      () => {
        forget();
        // What failed late may be tried again.
        this.#failure &&= { ...this.#failure, until: performance.now() + FAILURE_TIME };
      },
    );
    return opening;
  }
}

/**
 * How a connection steps aside, for the options of `openDB`: where another tab runs a newer build or deletes everything,
 * that waits for ever for connections that stay; and the browser closes one by itself when the site's data are cleared.
 * @param closed Called when the connection is of no more use.
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

/** What a failure of the database is to whoever needs it. */
export function storageUnavailable(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  return new ApiError(
    'storage_unavailable',
    'This browser does not open the database of this site: its profile may be private, full or read-only, or another tab of the site keeps it from being deleted. Close the other tabs of the site, make room on the disk, or leave the private window.',
    { cause },
  );
}
