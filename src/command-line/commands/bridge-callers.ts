import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { quote } from '../../shared/describe-value.ts';
import { CommandFailure } from '../run-command.ts';

/** Who may call a bridge. */
export interface BridgeCallers {
  /**
   * Whether the bridge is for this machine only. Then so are its callers: a request must name this machine as its
   * host, as a web page can point a host name of its own here, and must not come from a page of another machine,
   * which browsers let through on the strength of the endpoint's CORS headers.
   */
  readonly loopback: boolean;
  /** Further origins that may call, as browsers send them. With any, only they and this machine's may. */
  readonly allowedOrigins: readonly string[];
}

/** Why a request must not be answered, in sentences for whoever runs the bridge; null when it may. */
export function findCallerProblem(headers: IncomingHttpHeaders, callers: BridgeCallers): string | null {
  const { host = '', origin } = headers;
  if (callers.loopback && !namesThisMachine(`http://${host}`)) {
    return `This bridge is for this machine only, but the request names the host ${quote(host)}: call it as 127.0.0.1 or localhost.`;
  }
  const anyOrigin = !callers.loopback && callers.allowedOrigins.length === 0;
  if (anyOrigin || origin === undefined || namesThisMachine(origin)) return null;
  if (callers.allowedOrigins.includes(origin.toLowerCase())) return null;
  const shared =
    origin === 'null' ? ' Files that are opened as pages have it, and so may frames of any site in the web.' : '';
  return `Pages of the origin ${quote(origin)} may not call this bridge. To let them, start it with --allow-origin ${quote(origin)}.${shared}`;
}

/**
 * An origin given as `--allow-origin`, as browsers send it: `https://app.example`, `chrome-extension://…`, `file://`,
 * or `null`. There is no wildcard: any page in the web could call then.
 */
export function parseAllowedOrigin(text: string): string {
  // As browsers write it: in lower case, without a slash at the end.
  const origin = text.toLowerCase().replace(/([^/])\/$/, '$1');
  const ofTheWeb = /^https?:/.test(origin);
  const wellFormed = /^[a-z][a-z\d+.-]*:\/\/[^/?#@*\s]*$/.test(origin) && (!ofTheWeb || URL.canParse(origin));
  if (origin !== 'null' && !wellFormed) {
    throw new CommandFailure(
      `--allow-origin takes an origin such as https://app.example.org, chrome-extension://… or null, not "${text}".`,
    );
  }
  // Without the port that is usual for the scheme.
  return ofTheWeb ? new URL(origin).origin : origin;
}

function namesThisMachine(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const name = new URL(address).hostname;
  return name.endsWith('.localhost') || isLoopbackAddress(name.replace(/^\[(.*)\]$/, '$1'));
}

/** Whether an address or name to listen on can be reached from this machine only. */
export function isLoopbackAddress(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
