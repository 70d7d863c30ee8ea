import { STREAM_ID_HEADER } from '../../src/shared/http/resumable-stream.ts';

/**
 * A script for every page, before its own scripts. It records the last errors and warnings on the page's console in
 * `tabserveChaosConsole`, with the seconds since the load, counts in `tabserveChaosRequests` the requests that the
 * page sends to the endpoint, and in `tabserveChaosStorm` how often it has asked for the same stream within twenty seconds.
 */
export const OBSERVE_PAGE = `{
  const kept = (globalThis.tabserveChaosConsole = []);
  for (const level of ['error', 'warn']) {
    const write = console[level].bind(console);
    console[level] = (...words) => {
      kept.push(Math.round(performance.now() / 1000) + ' s: ' + words.map((word) => word?.stack ?? String(word)).join(' '));
      if (kept.length > 20) kept.shift();
      write(...words);
    };
  }
  globalThis.tabserveChaosRequests = 0;
  globalThis.tabserveChaosStorm = 0;
  const asked = new Map();
  const send = globalThis.fetch.bind(globalThis);
  globalThis.fetch = (input, init) => {
    const path = new URL(input instanceof Request ? input.url : input, location.href).pathname;
    if (path.startsWith('/v1/')) globalThis.tabserveChaosRequests++;
    const stream = new Headers(init?.headers ?? input.headers).get('${STREAM_ID_HEADER}');
    if (stream !== null) {
      const now = performance.now();
      const times = [...(asked.get(stream) ?? []), now].filter((time) => time > now - 20000);
      asked.set(stream, times);
      globalThis.tabserveChaosStorm = Math.max(globalThis.tabserveChaosStorm, times.length);
    }
    return send(input, init);
  };
}`;
