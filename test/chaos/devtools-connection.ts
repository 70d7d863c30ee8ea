import type { Readable, Writable } from 'node:stream';
import type { CDPSession } from 'playwright';
import { withTimeout } from '../../src/shared/timeout.ts';

interface Answer {
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

/** The part of the protocol's `TargetInfo` that is used. */
export interface Target {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
}

/** The events that are listened to, and what comes with them. */
export interface DevToolsEvents {
  readonly 'Target.targetCreated': { readonly targetInfo: Target };
  readonly 'Target.targetInfoChanged': { readonly targetInfo: Target };
  readonly 'Inspector.targetCrashed': object;
  readonly 'Target.targetDestroyed': { readonly targetId: string };
}

type Listener = (parameters: unknown, sessionId: string | undefined) => void;

/** Milliseconds for a command that the browser itself answers. */
const COMMAND_TIME = 15_000;

/**
 * The DevTools protocol over the browser's debugging pipe: JSON messages, each ended by a zero byte. Nothing is
 * attached to but what is asked for; a debugger in a worker would change how long that worker lives. The browser
 * ends with the pipe, so none outlives its driver.
 */
export class DevToolsConnection {
  readonly #input: Writable;
  readonly #pending = new Map<number, PendingCommand>();
  readonly #listeners = new Map<string, readonly Listener[]>();
  #unread = '';
  #lastId = 0;
  #ended = false;

  constructor(input: Writable, output: Readable) {
    this.#input = input;
    input.on('error', () => this.#end());
    output.setEncoding('utf8');
    output.on('data', (text: string) => this.#receive(text));
    output.on('close', () => this.#end());
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The commands of one session; of the browser itself without an id. */
  session(id?: string): DevToolsSession {
    return new DevToolsSession(this, id);
  }

  /**
   * Sends a command and waits as long as its session lives.
   * @throws Error when the browser refuses it, and when the session's page crashes or goes away meanwhile.
   */
  send(method: string, params: object = {}, sessionId?: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(new Error('The browser has ended.'));
      const id = ++this.#lastId;
      this.#pending.set(id, { sessionId, resolve, reject });
      this.#input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  on<Event extends keyof DevToolsEvents>(
    event: Event,
    listener: (parameters: DevToolsEvents[Event], sessionId: string | undefined) => void,
  ): void {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener as Listener]);
  }

  #receive(text: string): void {
    const messages = (this.#unread + text).split('\0');
    this.#unread = messages.pop() ?? '';
    for (const message of messages) this.#dispatch(JSON.parse(message) as Answer);
  }

  #dispatch({ id, sessionId, method, params, result, error }: Answer): void {
    if (id !== undefined) {
      const command = this.#pending.get(id);
      this.#pending.delete(id);
      if (error) command?.reject(new Error(error.message));
      else command?.resolve(result);
    } else if (method !== undefined) {
      // What was asked of a page that is no more would never be answered.
      if (method === 'Inspector.targetCrashed') this.#abandon('The page crashed.', sessionId);
      if (method === 'Target.detachedFromTarget') {
        this.#abandon('The page has gone.', (params as { sessionId?: string }).sessionId);
      }
      for (const listener of this.#listeners.get(method) ?? []) listener(params, sessionId);
    }
  }

  #end(): void {
    this.#ended = true;
    this.#abandon('The browser has ended.');
  }

  /** @param sessionId Default: every session. */
  #abandon(message: string, sessionId?: string): void {
    for (const [id, command] of this.#pending) {
      if (sessionId !== undefined && command.sessionId !== sessionId) continue;
      this.#pending.delete(id);
      command.reject(new Error(message));
    }
  }
}

/** One session of a {@link DevToolsConnection}, with the protocol's own types. */
export class DevToolsSession {
  readonly #connection: DevToolsConnection;
  readonly id: string | undefined;
  /** Sends a command that takes as long as it takes, such as an evaluation. */
  readonly sendPatiently: CDPSession['send'];
  /** Sends a command; it rejects when the answer takes longer than {@link COMMAND_TIME}. */
  readonly send: CDPSession['send'];

  constructor(connection: DevToolsConnection, id: string | undefined) {
    this.#connection = connection;
    this.id = id;
    // The one place where the browser's word about its types is taken.
    this.sendPatiently = ((method: string, params?: object) =>
      this.#connection.send(method, params, id)) as CDPSession['send'];
    this.send = (async (method: string, params?: object) => {
      const late = Symbol('late');
      const result = await withTimeout(COMMAND_TIME, this.#connection.send(method, params, id), late);
      if (result === late) throw new Error(`The browser did not answer ${method}.`);
      return result;
    }) as CDPSession['send'];
  }
}
