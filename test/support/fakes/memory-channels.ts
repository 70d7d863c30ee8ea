/** Broadcast channels whose messages arrive in microtasks, so that fake timers do not hold them up. */
export class MemoryChannel extends EventTarget {
  static readonly #open = new Set<MemoryChannel>();
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
    MemoryChannel.#open.add(this);
  }

  /** Ends all pages of a test. */
  static closeAll(): void {
    MemoryChannel.#open.clear();
  }

  postMessage(data: unknown): void {
    for (const other of MemoryChannel.#open)
      if (other !== this && other.name === this.name)
        queueMicrotask(
          () => MemoryChannel.#open.has(other) && other.dispatchEvent(new MessageEvent('message', { data })),
        );
  }

  close(): void {
    MemoryChannel.#open.delete(this);
  }
}
