import type { Readable, Writable } from 'node:stream';

/** The used fields of the protocol's `TargetInfo`. */
export interface Target {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
  /** For a dedicated worker: the target of its page. */
  readonly parentId?: string;
}

/** The events that can be listened to, with their parameters. */
export interface DevToolsEvents {
  readonly 'Target.targetCreated': { readonly targetInfo: Target };
  readonly 'Target.targetInfoChanged': { readonly targetInfo: Target };
  readonly 'Target.targetDestroyed': { readonly targetId: string };
  readonly 'Target.attachedToTarget': { readonly sessionId: string; readonly targetInfo: Target };
  readonly 'Target.detachedFromTarget': { readonly sessionId?: string };
  readonly 'Inspector.targetCrashed': object;
}

interface IncomingMessage {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface PendingCommand {
  readonly sessionId: string | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

type Listener = (parameters: unknown, sessionId: string | undefined) => void;

/**
 * A Chrome DevTools Protocol connection (https://chromedevtools.github.io/devtools-protocol/) to a Chromium started
 * with `--remote-debugging-pipe`: commands go to its file descriptor 3, responses and events come from 4, as JSON texts
 * that end in a zero byte. No port is opened; the browser exits when the pipes close.
 */
export class DevToolsConnection {
  readonly #commands: Writable;
  readonly #pending = new Map<number, PendingCommand>();
  readonly #listeners = new Map<string, Set<Listener>>();
  #unread = '';
  #lastId = 0;
  #isClosed = false;
  #onClosed = () => {};
  /** Resolves when either end closes the connection. */
  readonly closed = new Promise<void>((resolve) => (this.#onClosed = resolve));

  /**
   * @param commands The browser's file descriptor 3.
   * @param messages The browser's file descriptor 4.
   */
  constructor(commands: Writable, messages: Readable) {
    this.#commands = commands;
    commands.on('error', () => this.close());
    messages.setEncoding('utf8');
    messages.on('data', (text: string) => this.#receive(text));
    messages.on('close', () => this.close());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Sends a command, without a timeout.
   * @param sessionId Session of a page. Default: the browser itself.
   * @returns the protocol's result.
   * @throws Error if the browser rejects the command, or if the page or the browser crashes or closes before the
   * response.
   */
  send(method: string, params: object = {}, sessionId?: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new Error('The browser has ended.'));
      const id = ++this.#lastId;
      this.#pending.set(id, { sessionId, resolve, reject });
      this.#commands.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /** @returns a function that removes the listener. */
  on<Event extends keyof DevToolsEvents>(
    event: Event,
    listener: (parameters: DevToolsEvents[Event], sessionId: string | undefined) => void,
  ): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener as Listener));
    return () => void listeners.delete(listener as Listener);
  }

  /** Rejects all pending commands. */
  close(): void {
    this.#isClosed = true;
    this.#rejectPending('The browser has ended.');
    this.#onClosed();
  }

  #receive(text: string): void {
    const messages = (this.#unread + text).split('\0');
    this.#unread = messages.pop() ?? '';
    for (const message of messages) this.#dispatch(JSON.parse(message) as IncomingMessage);
  }

  #dispatch({ id, sessionId, method, params, result, error }: IncomingMessage): void {
    if (id !== undefined) {
      const command = this.#pending.get(id);
      this.#pending.delete(id);
      if (error) command?.reject(new Error(error.message));
      else command?.resolve(result);
    } else if (method !== undefined) {
      // The browser never responds to the pending commands of a closed page, so they are rejected here.
      if (method === 'Inspector.targetCrashed') this.#rejectPending('The page crashed.', sessionId);
      if (method === 'Target.detachedFromTarget') {
        this.#rejectPending('The page is gone.', (params as { sessionId?: string }).sessionId);
      }
      for (const listener of this.#listeners.get(method) ?? []) listener(params, sessionId);
    }
  }

  /**
   * Rejects the pending commands of a session.
   * @param sessionId Session of a page. Default: all sessions.
   */
  #rejectPending(message: string, sessionId?: string): void {
    for (const [id, command] of this.#pending) {
      if (sessionId !== undefined && command.sessionId !== sessionId) continue;
      this.#pending.delete(id);
      command.reject(new Error(message));
    }
  }
}
