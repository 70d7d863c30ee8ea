/** Returns the Content-Security-Policy header of this document; null if there is none. */
export function documentPolicy(): Promise<string | null> {
  return documentHeader('content-security-policy');
}

/**
 * Returns a header of this document; null if there is none. A page cannot read its own headers, so this requests the
 * document again, from the HTTP cache if possible.
 */
export async function documentHeader(name: string): Promise<string | null> {
  const response = await fetch(document.baseURI).catch(() => null);
  return response?.headers.get(name) ?? null;
}

/**
 * Returns the other origins to which the page's Content-Security-Policy lets it connect: those of `connect-src`, without it
 * those of `default-src`; `*` if it has neither.
 */
export async function policySources(): Promise<readonly string[]> {
  const policy = await documentPolicy();
  if (policy === null) return [];
  // Several headers are joined with commas.
  const sourcesOf = (name: string) => new RegExp(`(?:^|[;,])\\s*${name}-src(?![\\w-])([^;,]*)`, 'i').exec(policy)?.[1];
  const sources = sourcesOf('connect') ?? sourcesOf('default') ?? '*';
  return sources.split(/\s+/).filter((source) => source !== '' && !/^'|^data:$/.test(source));
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
