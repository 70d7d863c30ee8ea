/** Returns the Content-Security-Policy header of this document; null if there is none. */
export function documentPolicy(): Promise<string | null> {
  return documentHeader('content-security-policy');
}

/**
 * Whether this site's service worker, and not the server, put the Content-Security-Policy header on this document. Then
 * it binds no page that was loaded before the service worker was active, and not the service worker itself.
 */
export async function isPolicyOfServiceWorker(): Promise<boolean> {
  return (await documentHeader('x-tabserve-policy')) === 'service-worker';
}

/** Returns the Content-Security-Policy in this document's HTML; null if there is none. */
export function policyInHtml(): string | null {
  const [meta] = document.querySelectorAll<HTMLMetaElement>('meta[http-equiv="content-security-policy" i]');
  return meta?.content ?? null;
}

/**
 * Returns a header of this document; null if there is none. A page cannot read its own headers, so this requests the
 * document again, from the HTTP cache if possible.
 */
export async function documentHeader(name: string): Promise<string | null> {
  const response = await fetch(document.baseURI, { method: 'GET', cache: 'default' }).catch(() => null);
  return response?.headers.get(name) ?? null;
}

/** Returns the other origins to which the page's Content-Security-Policy lets it connect (`connect-src`). */
export async function policySources(): Promise<readonly string[]> {
  const policy = await documentPolicy();
  const directive = policy
    ?.split(';')
    .map((part) => part.trim().split(/\s+/))
    .find(([name]) => name === 'connect-src');
  return directive?.slice(1).filter((source) => source !== "'self'" && source !== 'data:') ?? [];
}

/** Chromium's first version that enforces the header `Connection-Allowlist`. */
const FIRST_WITH_ALLOWLIST = 152;

interface ChromiumNavigator extends Navigator {
  readonly userAgentData?: { readonly brands: readonly { readonly brand: string; readonly version: string }[] };
}

/** Whether this browser enforces the header `Connection-Allowlist`. Pages cannot find out otherwise. */
export function enforcesAllowlist({ userAgentData }: ChromiumNavigator = navigator): boolean {
  const chromium = userAgentData?.brands.find(({ brand }) => brand === 'Chromium');
  return Number(chromium?.version ?? 0) >= FIRST_WITH_ALLOWLIST;
}

/** Whether the browser refuses to open an address from this page, because of its `Connection-Allowlist`. */
export async function isUnreachable(address: string): Promise<boolean> {
  const allowlist = enforcesAllowlist() ? await documentHeader('connection-allowlist') : null;
  if (allowlist === null || new URL(address).origin === location.origin) return false;
  return ![...allowlist.matchAll(/"([^"]*)"/g)].some(([, pattern]) => matches(pattern!, address));
}

function matches(pattern: string, address: string): boolean {
  try {
    return new URLPattern(pattern).test(address);
  } catch {
    // The browser ignores a pattern with a mistake.
    return false;
  }
}
