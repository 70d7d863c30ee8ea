import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import { sleep } from '../../shared/timeout.ts';

type Send = (site: string, answerId: string, log: readonly CompletionEvent[]) => void;

/** Limits of what is kept for one site: number of logs, and their characters as JSON. */
const MAX = { logs: 32, characters: 4_000_000 } as const;

/**
 * Milliseconds before a log that no context has stored is sent again, as while its database fails. Few, because a frozen page
 * gets all of them at once.
 */
const DELAYS: readonly number[] = [10_000, 30_000, 60_000, 180_000];

/**
 * Logs of stored answers of sites that use this engine through its hub. Each belongs into the database of its site, so a
 * context of the site has to store it. It is kept in memory until one says that it has: tab and service worker may have
 * ended before the answer.
 */
export class SiteLogs {
  readonly #send: Send;
  readonly #kept = new Map<string, Map<string, readonly CompletionEvent[]>>();

  /** @param send Sends a log to the connected contexts of a site. */
  constructor(send: Send) {
    this.#send = send;
  }

  add(site: string, answerId: string, log: readonly CompletionEvent[]): void {
    const kept = this.#kept.get(site) ?? new Map<string, readonly CompletionEvent[]>();
    kept.set(answerId, log);
    this.#kept.set(site, kept);
    let characters = JSON.stringify([...kept.values()]).length;
    for (const [oldest, events] of kept) {
      if (kept.size <= MAX.logs && characters <= MAX.characters) break;
      characters -= JSON.stringify(events).length;
      kept.delete(oldest);
    }
    this.#send(site, answerId, log);
    void this.#sendUntilStored(site, answerId, log);
  }

  /** Sends what is kept again. Call it when a context of the site has connected. */
  connected(site: string): void {
    for (const [answerId, log] of this.#kept.get(site) ?? []) this.#send(site, answerId, log);
  }

  /** Call it when a context of the site has stored a log. */
  stored(site: string, answerId: string): void {
    this.#kept.get(site)?.delete(answerId);
  }

  /** Discards what is kept for a site whose permission was revoked. */
  delete(site: string): void {
    this.#kept.delete(site);
  }

  async #sendUntilStored(site: string, answerId: string, log: readonly CompletionEvent[]): Promise<void> {
    for (const delay of DELAYS) {
      await sleep(delay);
      if (this.#kept.get(site)?.get(answerId) !== log) return;
      this.#send(site, answerId, log);
    }
  }
}
