import { HUB_PROTOCOL, type HubHello, type HubReply } from '../hub-messages.ts';
import { PROTOCOL_VERSION } from '../../shared/messaging/messages.ts';
import { createHubFrame } from './hub-engine-host.ts';

/** Why requests to the site's own engine fail when the person has allowed the hub. */
export const TO_HUB = 'This site now uses the engine of its hub.';

/**
 * Shows a frame of the hub that asks the person, until the person has allowed this site.
 * @param hub Address of the hub, with a trailing slash.
 * @param signal Removes the frame.
 * @returns false if `signal` aborts, or the person has allowed it without success: the frame then says why, and stays.
 */
export async function askForHub(hub: URL, place: Element, signal: AbortSignal): Promise<boolean> {
  const frame = createHubFrame(hub);
  frame.style.cssText = 'border: 0; width: 100%; height: 14rem';
  const ended = new Promise<null>((resolve) => {
    const end = () => {
      frame.remove();
      resolve(null);
    };
    signal.addEventListener('abort', end, { once: true });
  });
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  place.append(frame);
  await Promise.race([loaded, ended]);
  const { port1, port2 } = new MessageChannel();
  const replied = new Promise<HubReply>((resolve) => {
    port1.addEventListener('message', ({ data }: MessageEvent<HubReply>) => {
      if (data.type !== 'starting') resolve(data);
    });
    port1.start();
  });
  const hello: HubHello = { type: 'tabserve/hub', protocol: HUB_PROTOCOL, version: PROTOCOL_VERSION, asks: true };
  frame.contentWindow?.postMessage(hello, hub.origin, [port2]);
  const reply = await Promise.race([replied, ended]);
  port1.close();
  if (reply?.type !== 'ready') return false;
  frame.remove();
  return true;
}
