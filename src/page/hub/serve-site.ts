import type { EngineConnection } from '../../shared/messaging/engine-connection.ts';
import type { HubConsent } from '../../shared/hub/hub-calls.ts';
import { HUB_PROTOCOL, type HubHello, type HubRefusal, type HubReply } from '../hub-messages.ts';
import { PROTOCOL_VERSION } from '../../shared/messaging/messages.ts';
import { HubUnavailable } from '../engine/hub-unavailable.ts';
import { isSameSite, openHubAccess } from './hub-access.ts';
import { HubEngine } from './hub-engine.ts';

/** The engine of this frame, kept for the site's next hello. */
let engine: HubEngine | null = null;

/** The connection of the last hello that was granted. */
let served: EngineConnection | null = null;

/**
 * Connects the site that contains this frame to the hub's engine, or tells it why not.
 * @param origin Origin of the site, as the browser reported it.
 * @param hasClicked Whether the person has just allowed the site by a click in this frame.
 * @param port Reply port of the site.
 */
export async function serveSite(
  hello: HubHello,
  origin: string,
  port: MessagePort,
  hasClicked: boolean,
): Promise<HubRefusal | null> {
  const reply = (message: HubReply) => port.postMessage(message);
  const refuse = (reason: HubRefusal) => {
    reply({ type: 'refused', reason });
    port.close();
    return reason;
  };
  reply({ type: 'starting' });
  if (hello.protocol !== HUB_PROTOCOL || hello.version !== PROTOCOL_VERSION) return refuse('other-version');
  if (!isAlone(origin)) return refuse('nested');
  let connection: EngineConnection | null = null;
  try {
    // First, because the browser asks the person only right after a click.
    const start = await openHubAccess(origin, hasClicked);
    if (start === null) return refuse('no-access');
    engine ??= new HubEngine(start);
    connection = await engine.open();
    const consent: HubConsent = hasClicked ? 'given' : isSameSite(origin, location.origin) ? 'same-site' : 'none';
    const models = await engine.call(connection, 'hub/admit', { origin, consent });
    if (models === null) {
      engine.leave(connection);
      return refuse('no-permission');
    }
    // A site that says hello without end must not fill the engine with connections.
    if (served) engine.leave(served);
    served = connection;
    connect(connection, origin, port);
    reply({ type: 'ready', engine: connection.lockName, models });
    return null;
  } catch (thrown) {
    if (connection) engine?.leave(connection);
    return refuse(thrown instanceof HubUnavailable ? thrown.fault : 'no-engine');
  }
}

/** Passes the site's ports on to the engine, and tells the site when the engine has ended. */
function connect(connection: EngineConnection, origin: string, port: MessagePort): void {
  const { ended } = connection;
  port.addEventListener('message', ({ ports }) => {
    const [passed] = ports;
    if (passed) connection.post({ type: 'embed', origin }, [passed]);
  });
  port.start();
  const tellVisible = () => connection.post({ type: 'visible', visible: document.visibilityState === 'visible' });
  tellVisible();
  document.addEventListener('visibilitychange', tellVisible, { signal: ended });
  ended.addEventListener(
    'abort',
    () => {
      port.postMessage({ type: 'ended' } satisfies HubReply);
      port.close();
    },
    { once: true },
  );
}

/**
 * Whether all pages that contain this frame have the site's origin. Otherwise the person would see another address than
 * that of the site which gets the answers.
 */
function isAlone(origin: string): boolean {
  if (!/^https?:/.test(origin)) return false;
  // Where it is the only one, Firefox hides its origin, because of the frame's referrer policy.
  if (window.parent === window.top) return true;
  const { ancestorOrigins } = location as { readonly ancestorOrigins?: DOMStringList };
  return ancestorOrigins !== undefined && [...ancestorOrigins].every((ancestor) => ancestor === origin);
}
