import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { quote } from '../../shared/describe-value.ts';
import { CommandFailure } from '../run-command.ts';

export interface BridgeCallers {
  /**
   * Whether only this machine may call. If so, the request's host must name this machine, because any website can make
   * its own host name resolve to 127.0.0.1 (DNS rebinding). Pages of other machines must be rejected as well, because
   * the endpoint's CORS headers would allow them.
   */
  readonly loopback: boolean;
  /**
   * Origins whose pages may call, as browsers send them. All other pages are rejected, except those of web servers at
   * the caller's own `localhost`. Programs that send no origin may always call.
   */
  readonly allowedOrigins: readonly string[];
}

/**
 * Returns why a request is rejected, as a sentence for the person who runs the bridge; null if it is allowed.
 * @param authority Host and port of the request's target; null if it has none. Both this host and the `Host` header are
 * checked, because a proxy may have replaced either.
 */
export function findCallerProblem(
  { headers, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>,
  authority: string | null,
  callers: BridgeCallers,
): string | null {
  const { origin } = headers;
  // HTTP/1.0 requests need no `Host` header. Accepting them is safe: DNS rebinding needs a browser, and browsers use
  // later versions.
  const named = headers.host ?? (httpVersion === '1.0' ? null : '');
  const host = [authority, named].find((name) => name !== null && !namesThisMachine(`http://${name}`));
  if (callers.loopback && typeof host === 'string') {
    return `This bridge is for this machine only, but the request names the host ${quote(host)}: call it as 127.0.0.1 or localhost.`;
  }
  if (origin === undefined) {
    // Links, images and frames send no origin with a GET. Browsers name the relation of both sites instead.
    return headers['sec-fetch-site'] === 'cross-site'
      ? 'Links, images and frames of other sites may not call this bridge. A page that is let in by --allow-origin calls it by fetch.'
      : null;
  }
  if (/^https?:/.test(origin) && isLoopbackAddress(hostName(origin))) return null;
  if (callers.allowedOrigins.includes(origin.toLowerCase())) return null;
  const shared =
    origin === 'null' ? ' Local files opened as pages have this origin, but so may frames of any website.' : '';
  return `Pages of the origin ${quote(origin)} may not call this bridge. To let them, start it with --allow-origin ${quote(origin)}.${shared}`;
}

/**
 * Parses `--allow-origin` into the form that browsers send: `https://app.example`, `chrome-extension://…`, `file://` or
 * `null`. There is no wildcard, because it would let any web page call.
 */
export function parseAllowedOrigin(text: string): string {
  // Converts to the form of browsers: lower case, without a trailing slash.
  const origin = text.toLowerCase().replace(/([^/])\/$/, '$1');
  const ofTheWeb = /^https?:/.test(origin);
  const wellFormed = /^[a-z][a-z\d+.-]*:\/\/[^/?#@*\s]*$/.test(origin) && (!ofTheWeb || URL.canParse(origin));
  if (origin !== 'null' && !wellFormed) {
    throw new CommandFailure(
      `--allow-origin takes an origin such as https://app.example.org, chrome-extension://… or null, not "${text}".`,
    );
  }
  // Removes the scheme's default port.
  return ofTheWeb ? new URL(origin).origin : origin;
}

function namesThisMachine(address: string): boolean {
  const name = hostName(address);
  return name.endsWith('.localhost') || isLoopbackAddress(name);
}

/** Returns the host of an address, without its port and an IPv6 address's brackets; empty if there is none. */
function hostName(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname.replace(/^\[(.*)\]$/, '$1') : '';
}

/** Whether a listen address is reachable from this machine only. */
export function isLoopbackAddress(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
