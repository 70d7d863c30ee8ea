/** A time span, in milliseconds of `performance.now()`. */
export interface Span {
  readonly start: number;
  /** Infinite while it lasts. */
  end: number;
}

/** Number of requests that wait at most while others are answered. */
const MOST_WAITING = 8;

/** Milliseconds for which a question of a person, or a request that was left, may wait on a busy machine, or be answered. */
const QUESTION_TIME = 60_000;

/** Times, by `performance.now()`, of faults that may cause requests to fail. */
export class HarmLog {
  /** Every fault that may strike requests other than its own, while it is applied. */
  readonly strikes: Span[] = [];
  /** Faults that may end a service worker. */
  readonly serviceWorkerFaults: number[] = [];
  /** Times at which the site's data began to be cleared, and at which that was done. */
  readonly clearings: number[] = [];
  readonly gpuCrashes: number[] = [];
  /** Times at which a newer build was published. */
  readonly builds: number[] = [];
  readonly outages: Span[] = [];
  /** Times at which the upstream was unreachable. */
  readonly upstreamOutages: Span[] = [];
  /** Times at which tabs were stopped, until they went on. */
  readonly stops: Span[] = [];
  /** Times at which a process of the browser was stopped, with pages or workers in it. */
  readonly pauses: Span[] = [];
  /** Times at which models were unloaded or deleted. */
  readonly removals: number[] = [];
  /** Times at which the browser stored nothing more for the site. */
  readonly fullStores: Span[] = [];
  /** Times at which a hub no longer let a site use its engine. */
  readonly revocations: number[] = [];
  /** When a person last asked in the chat page, by the place of the tab. A chat sends one question at a time. */
  readonly personsAsked = new Map<number, number>();
  /** Times at which a person left a chat that was being answered, which goes on beside the next one. */
  readonly chatsLeft: number[] = [];
  /**
   * Times at which clients left a request. Before the headers no service worker learns that, so that one for JSON still waits
   * for its turn.
   */
  readonly requestsLeft: number[] = [];
  /** Times at which more requests ran than the endpoint accepts. */
  readonly crowds: number[] = [];
  readonly #mostRequests: number;

  /** @param parallel How many requests the model answers at once. Default: 1. */
  constructor(parallel = 1) {
    this.#mostRequests = MOST_WAITING + parallel;
  }

  /**
   * Notes a crowd if so many requests, those that were left, and the questions of persons that may be unanswered, are more than
   * the endpoint accepts.
   */
  noteCrowd(requests: number): void {
    const now = performance.now();
    const asked = [...this.personsAsked.values(), ...this.chatsLeft, ...this.requestsLeft];
    const waiting = asked.filter((time) => time > now - QUESTION_TIME).length;
    if (requests + waiting > this.#mostRequests) this.crowds.push(now);
  }
}
