import type { EngineConnection } from '../shared/engine-connection.ts';

/** Where the engine runs, as seen from one page. */
export interface EngineHost {
  /**
   * Connects this page with the engine: with the one there is, or with one that is started for it.
   * @param open Introduces this page to the engine at the far end of a port.
   * @throws ApiError `engine_unavailable`, or what `open` throws.
   */
  join(open: (port: MessagePort) => Promise<EngineConnection>): Promise<EngineConnection>;
  /**
   * A fresh port to the engine, ready to be handed to anyone.
   * @returns null before `join()`, and when another tab hosts the engine: only the service worker reaches it.
   */
  connect(): MessagePort | null;
  /** The engine has died: another is to be found or started. */
  restart(): void;
  /** Lets go of the engine: another kind of host takes its place. */
  close(): void;
}
