/**
 * The Content-Security-Policy in force, from the header of this very document; null where its server sends
 * none. Pages cannot read their own headers, so the document is asked for again, from the HTTP cache if it
 * may be.
 */
export async function documentPolicy(): Promise<string | null> {
  const response = await fetch(document.baseURI, { method: 'GET', cache: 'default' }).catch(() => null);
  return response?.headers.get('content-security-policy') ?? null;
}

/** The sources beside this site that the Content-Security-Policy in force allows fetching from. */
export async function policySources(): Promise<readonly string[]> {
  const policy = await documentPolicy();
  const directive = policy
    ?.split(';')
    .map((part) => part.trim().split(/\s+/))
    .find(([name]) => name === 'connect-src');
  return directive?.slice(1).filter((source) => source !== "'self'" && source !== 'data:') ?? [];
}
