/** Whether the browser keeps this site's data when the disk runs full; undefined if it does not tell. */
export async function isPersisted(): Promise<boolean | undefined> {
  try {
    return await navigator.storage?.persisted?.();
  } catch {
    // The browser may deny storage to this site, for instance in a frame of another site.
    return undefined;
  }
}

/** Asks the browser to keep this site's data when the disk runs full. Returns false if it does not agree. */
export async function persist(): Promise<boolean> {
  try {
    return (await navigator.storage?.persist?.()) ?? false;
  } catch {
    return false;
  }
}
