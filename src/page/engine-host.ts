/** Where the engine runs, as seen from one page. */
export interface EngineHost {
  /** Prepares `connect()`: looks for the engine that other tabs use already. */
  find(): Promise<void>;
  /**
   * A fresh port to the engine, ready to be handed to anyone.
   * @returns null before `find()`, and when another tab hosts the engine: only the service worker reaches it.
   */
  connect(): MessagePort | null;
  /** The engine has died: another is to be found or started. */
  restart(): void;
  /** Lets go of the engine: another kind of host takes its place. */
  close(): void;
}
