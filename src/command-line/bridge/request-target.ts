export interface RequestTarget {
  /** Host and port of a target in absolute form; null in origin form. */
  readonly authority: string | null;
  /** Path and query. */
  readonly path: string;
}

/**
 * Parses the target of a request (RFC 9112, section 3.2): a path, or an address as clients send it to proxies. Repeated
 * slashes in the path count as one, because many clients join a base URL that ends with a slash and a path that begins
 * with one.
 */
export function parseRequestTarget(target: string): RequestTarget {
  const [, authority = null, pathAndQuery = target] = /^http:\/\/([^/?#]*)(.*)$/i.exec(target) ?? [];
  const [path = ''] = pathAndQuery.split('?', 1);
  return { authority, path: path.replace(/\/{2,}/g, '/') + pathAndQuery.slice(path.length) };
}
