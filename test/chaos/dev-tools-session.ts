import type { CDPSession } from 'playwright';
import type { DevToolsConnection } from '../../src/command-line/browser/dev-tools-connection.ts';
import { withTimeout } from '../../src/shared/timeout.ts';

/** Milliseconds for a command that the browser answers without executing page code. */
const COMMAND_TIMEOUT = 15_000;

/** A session of a {@link DevToolsConnection}, with the protocol's types. Without an id, the browser's own session. */
export class DevToolsSession {
  readonly id: string | undefined;
  /** Sends a command without a timeout, such as an evaluation. */
  readonly sendPatiently: CDPSession['send'];
  /** Sends a command; it rejects after {@link COMMAND_TIMEOUT}. */
  readonly send: CDPSession['send'];

  constructor(connection: DevToolsConnection, id?: string) {
    this.id = id;
    // The types of results are asserted only here.
    this.sendPatiently = ((method: string, params?: object) =>
      connection.send(method, params, id)) as CDPSession['send'];
    this.send = (async (method: string, params?: object) => {
      const late = Symbol('late');
      const result = await withTimeout(COMMAND_TIMEOUT, connection.send(method, params, id), late);
      if (result === late) throw new Error(`The browser did not answer ${method}.`);
      return result;
    }) as CDPSession['send'];
  }
}
