import { absent, ENDED, whenFailed, whenSettled, type Attempts } from './attempt.ts';

/** Ways in which a script sends requests (`connect-src` and `script-src` of a policy). */
export const requestAttempts: Attempts<
  'fetch' | 'beacon' | 'web-socket' | 'event-source' | 'web-transport' | 'script-import'
> = {
  fetch: ({ host, signal }) => whenSettled(fetch(`https://${host}/`, { mode: 'no-cors', signal })),
  beacon: ({ host }) => {
    if (!('sendBeacon' in navigator)) return absent('navigator.sendBeacon');
    navigator.sendBeacon(`https://${host}/`, 'text');
    return ENDED;
  },
  'web-socket': ({ host, signal }) => {
    const socket = new WebSocket(`wss://${host}/`);
    signal.addEventListener('abort', () => socket.close());
    return whenFailed(socket, signal);
  },
  'event-source': ({ host, signal }) => {
    const source = new EventSource(`https://${host}/`);
    signal.addEventListener('abort', () => source.close());
    return whenFailed(source, signal);
  },
  'web-transport': ({ host }) => {
    if (!('WebTransport' in globalThis)) return absent('WebTransport');
    const transport = new WebTransport(`https://${host}/`);
    transport.closed.catch(() => undefined);
    return whenSettled(transport.ready);
  },
  'script-import': ({ host }) => whenSettled(import(/* @vite-ignore */ `https://${host}/script.js`)),
};
