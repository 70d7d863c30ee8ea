/** Where the engine runs, as seen from one page. */
export interface EngineHost {
  /**
   * A fresh port to the engine, ready to be handed to anyone.
   * @returns null when another tab hosts the engine and only the service worker can reach it.
   */
  connect(): MessagePort | null;
  /** The engine has died: the next `connect()` starts another. */
  restart(): void;
  /** Lets go of the engine: another kind of host takes its place. */
  close(): void;
}
