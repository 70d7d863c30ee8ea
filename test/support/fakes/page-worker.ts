import type { PageWorker } from '../../../src/engine-worker/ports/start-worker-in-page.ts';
import { engineUnavailable } from '../../../src/shared/engine/engine-errors.ts';

export interface FakePageWorker extends PageWorker {
  /** Ends the worker, as happens when its page is closed. */
  readonly lose: () => void;
  /** The messages that the worker received. */
  readonly sent: readonly unknown[];
  /** Sends a message as the worker. */
  readonly send: (message: unknown) => void;
}

/** A page's worker that runs no code. */
export function fakePageWorker({ isolated = true, gpu = null as string | null } = {}): FakePageWorker {
  const lost = new AbortController();
  const { port1, port2 } = new MessageChannel();
  const sent: unknown[] = [];
  port2.addEventListener('message', ({ data }) => sent.push(data));
  const end = () => {
    lost.abort(engineUnavailable('The page was closed.'));
    port1.close();
  };
  const send = (message: unknown) => port2.postMessage(message);
  return { port: port1, isolated, cores: 8, gpu, lost: lost.signal, end, lose: end, sent, send };
}
