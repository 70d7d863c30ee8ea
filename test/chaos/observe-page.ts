/**
 * A script for every page, before its own scripts. It records the last errors and warnings on the page's console in
 * `tabserveChaosConsole`, with the seconds since the load, and counts in `tabserveChaosRequests` the requests that the
 * page sends to the endpoint.
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
  const send = globalThis.fetch.bind(globalThis);
  globalThis.fetch = (input, init) => {
    const path = new URL(input instanceof Request ? input.url : input, location.href).pathname;
    if (path.startsWith('/v1/')) globalThis.tabserveChaosRequests++;
    return send(input, init);
  };
}`;
