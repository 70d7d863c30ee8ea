import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { listCollections, type Collection } from '../api/collections.ts';
import { serviceWorkerInCharge } from '../browser/service-worker-in-charge.ts';
import { reuseUnchanged } from '../storage/reuse-unchanged.ts';
import { errorInPageLanguage } from '../strings/engine-sentences.ts';
import { listenToWindow } from './listen-to-window.ts';

/** Milliseconds between two readings of the list while files are being indexed. */
const INTERVAL = 1000;
/** Milliseconds between two readings while all of them wait because indexing is paused. Another tab may let it go on. */
const PAUSED_INTERVAL = 15_000;

/**
 * The collections of documents. The list is read when the host connects and when the page gets the focus, and
 * repeatedly while files are being indexed, seldom while that is paused.
 */
export class CollectionsController implements ReactiveController {
  /** Null until the list has been read. */
  collections: readonly Collection[] | null = null;
  /** Why the list could not be read; empty otherwise. */
  problem = '';
  readonly #host: ReactiveControllerHost;
  readonly #isLazy: boolean;
  #life = new AbortController();
  /** Settles when the list has been read; null while it is not being read. */
  #reading: Promise<void> | null = null;
  #isStale = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Adds this controller to `host`.
   * @param isLazy True if the list is read only by {@link refresh}. Default: false.
   */
  constructor(host: ReactiveControllerHost, isLazy = false) {
    this.#host = host;
    this.#isLazy = isLazy;
    if (!isLazy) listenToWindow(host, 'focus', () => void this.refresh());
    host.addController(this);
  }

  hostConnected(): void {
    this.#life = new AbortController();
    if (!this.#isLazy) void this.refresh();
  }

  hostDisconnected(): void {
    this.#life.abort();
    clearTimeout(this.#timer);
  }

  /** Reads the list; if it is being read, once more afterwards. Never rejects; see {@link problem}. */
  refresh(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#readWhileStale().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #readWhileStale(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#isStale && !this.#life.signal.aborted) {
      this.#isStale = false;
      await this.#read(this.#life.signal);
      this.#host.requestUpdate();
    }
    const indexing = this.collections?.filter(({ file_counts: counts }) => counts.in_progress > 0) ?? [];
    if (indexing.length === 0 || this.#isLazy || this.#life.signal.aborted) return;
    const interval = indexing.every((collection) => collection.indexing.paused) ? PAUSED_INTERVAL : INTERVAL;
    this.#timer = setTimeout(() => void this.refresh(), interval);
  }

  async #read(signal: AbortSignal): Promise<void> {
    try {
      await serviceWorkerInCharge();
      const collections = await listCollections(signal);
      this.collections = reuseUnchanged(this.collections ?? [], collections);
      this.problem = '';
    } catch (error) {
      if (!signal.aborted) this.problem = errorInPageLanguage(error);
    }
  }
}
