/**
 * What a server says about the version of a file. A server hides the ETag from other origins by default; the date is hidden
 * from none. Each is null if it is not known.
 */
export interface FileVersion {
  readonly etag: string | null;
  readonly modified: string | null;
}

export const UNKNOWN_VERSION: FileVersion = { etag: null, modified: null };

export function versionIn(headers: Headers): FileVersion {
  return { etag: headers.get('etag'), modified: headers.get('last-modified') };
}

/** Returns headers in which {@link versionIn} finds a version. */
export function versionHeaders({ etag, modified }: FileVersion): Record<string, string> {
  return { ...(etag !== null && { etag }), ...(modified !== null && { 'last-modified': modified }) };
}

/**
 * Whether two versions of a file are the same; null if that cannot be told. Different dates do not tell it: mirrors of a server
 * have their own, and some hosts give all files another one with each deployment.
 */
export function isSameVersion(one: FileVersion, other: FileVersion): boolean | null {
  if (one.etag !== null && other.etag !== null) return plainTag(one.etag) === plainTag(other.etag);
  return one.modified !== null && one.modified === other.modified ? true : null;
}

/** Whether stored pieces can be of one file: a download gives all its pieces the same version, as far as it is known. */
export function canBeOneFile(one: FileVersion, other: FileVersion): boolean {
  const datesAgree = one.modified === null || other.modified === null || one.modified === other.modified;
  return isSameVersion(one, other) ?? datesAgree;
}

/** Removes the marks that servers give the ETag of a compressed answer. The rest of a file is sent uncompressed. */
function plainTag(etag: string): string {
  return etag.replace(/^W\//, '').replace(/-+(?:gzip|br|deflate|zstd)(?="$)/, '');
}
