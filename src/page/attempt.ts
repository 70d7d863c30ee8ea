import type { EngineConnection } from '../shared/messaging/engine-connection.ts';

/** Milliseconds after which a page tries again by itself what failed and may well succeed later: once each. */
export const RETRY_PAUSES: readonly number[] = [10_000, 30_000, 90_000];

/** Milliseconds before a service worker that was lost is registered again, after one failure and after many. */
export const RECOVERY_PAUSE = { first: 2000, longest: 60_000 };

/** One try at bringing both workers up. */
export class Attempt {
  /** The engine, with which the page is connected when both have said so. */
  readonly connection: Promise<EngineConnection>;
  /** Settles when the engine is connected and the service worker controls this page, or one of the two failed. */
  readonly ready: Promise<void>;

  constructor(connection: Promise<EngineConnection>, controlled: Promise<void>) {
    this.connection = connection;
    this.ready = Promise.all([controlled, connection]).then(([done]) => done);
  }
}
