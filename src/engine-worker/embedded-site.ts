/** Prefix of {@link embeddedSite}. No address of a site begins with it. */
const EMBEDDED = 'hub ';

/**
 * Returns the name by which completions tell the sites apart that use this engine through a hub, in place of the address
 * of a service worker's scope.
 */
export function embeddedSite(origin: string): string {
  return EMBEDDED + origin;
}

/** The origin in the name of an embedded site. */
export function originOf(site: string): string {
  return site.slice(EMBEDDED.length);
}

/** Whether the client of a completion is a site that uses this engine through its hub. */
export function isEmbedded(site: string): boolean {
  return site.startsWith(EMBEDDED);
}
