import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** A message of the browser: the answer to a command, or an event. */
interface IncomingMessage {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Waiting {
  resolve(result: unknown): void;
  reject(reason: unknown): void;
}

/** Ends each message, in both directions. */
const SEPARATOR = '\0';

/**
 * Commands to a Chromium that was started with `--remote-debugging-pipe`: it reads them from its file descriptor 3 and
 * writes answers and events to 4, each a JSON text that ends in a zero byte.
 */
export class DevToolsConnection {
  readonly #commands: Writable;
  readonly #waiting = new Map<number, Waiting>();
  readonly #events = new Map<string, () => void>();
  #lastId = 0;
  #isClosed = false;
  /** Settles when the browser has gone or cannot be started. */
  readonly closed: Promise<void>;

  /** @param browser Its streams 3 and 4 are pipes. */
  constructor(browser: ChildProcess) {
    const [, , , commands, messages] = browser.stdio;
    this.#commands = commands as Writable;
    const incoming = messages as Readable;
    this.closed = new Promise((resolve) => {
      const end = () => {
        this.close();
        resolve();
      };
      browser.once('error', end);
      browser.once('exit', end);
      incoming.once('close', end);
      // A browser that has just gone takes nothing any more; `closed` says so.
      this.#commands.on('error', end);
    });
    let rest = '';
    incoming.setEncoding('utf8').on('data', (text: string) => {
      const messages = (rest + text).split(SEPARATOR);
      rest = messages.pop() ?? '';
      for (const message of messages) this.#receive(JSON.parse(message) as IncomingMessage);
    });
  }

  /**
   * Sends a command, and gives its result.
   * @param sessionId Of the page that it is for. Default: none, it is for the browser.
   * @throws where the browser refuses it, or goes before it has answered.
   */
  send(method: string, parameters: object = {}, sessionId?: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(browserGone());
      const id = ++this.#lastId;
      this.#waiting.set(id, { resolve, reject });
      this.#commands.write(JSON.stringify({ id, method, params: parameters, sessionId }) + SEPARATOR);
    });
  }

  /** Settles when the first event of that name arrives. */
  event(method: string): Promise<void> {
    return new Promise((resolve) => this.#events.set(method, resolve));
  }

  /** Fails what has not been answered. */
  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.values()) reject(browserGone());
    this.#waiting.clear();
  }

  #receive({ id, method, result, error }: IncomingMessage): void {
    if (method === 'Inspector.targetCrashed') this.close();
    if (method !== undefined) this.#events.get(method)?.();
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || !waiting) return;
    this.#waiting.delete(id);
    if (error) waiting.reject(new Error(error.message));
    else waiting.resolve(result);
  }
}

function browserGone(): Error {
  return new Error('The browser has gone.');
}
