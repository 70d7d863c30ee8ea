import type { HubHello, HubReply } from '../hub-messages.ts';
import { askPerson } from './ask-person.ts';
import { hubStrings } from './hub-strings.ts';
import { serveSite } from './serve-site.ts';

document.documentElement.lang = hubStrings.language;

// The frame of a hub in the page of a site. It does nothing until that page says hello. `event.origin` is the browser's word
// for who the site is; what the site says about itself is not read.
addEventListener('message', ({ source, origin, data, ports }: MessageEvent<HubHello | null>) => {
  const [port] = ports;
  if (source !== window.parent || window.parent === window || data?.type !== 'tabserve/hub' || !port) return;
  if (!data.asks) return void serveSite(data, origin, port, false);
  port.postMessage({ type: 'starting' } satisfies HubReply);
  askPerson(origin, () => serveSite(data, origin, port, true));
});
