/** Returns the Content-Security-Policy header of this document; null if there is none. */
export function documentPolicy(): Promise<string | null> {
  return documentHeader('content-security-policy');
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
