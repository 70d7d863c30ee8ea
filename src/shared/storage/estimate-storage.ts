/** What a browser tells about the storage of this site, in bytes. */
export interface StorageEstimate {
  /** Bytes that this site uses; 0 if unknown. */
  readonly usage: number;
  /** The most that this site may use; Infinity if unknown. */
  readonly quota: number;
}

const GIBIBYTE = 2 ** 30;

/** Largest room that Chromium names instead of the true one. */
const LARGEST_SUBSTITUTE = 10 * GIBIBYTE;

/**
 * Estimates the storage of this site. Browsers that cannot estimate, or refuse to, know neither number.
 *
 * Chromium hides the true quota, which would identify devices: since 2026 it reports the usage plus a whole number of
 * gibibytes, at most ten, however little room there is. Such a quota counts as unknown.
 */
export async function estimateStorage(): Promise<StorageEstimate> {
  try {
    // Safari before version 17 and WebKitGTK report neither.
    const { usage = 0, quota = Infinity } = (await navigator.storage?.estimate?.()) ?? {};
    return { usage, quota: isSubstitute(quota - usage) ? Infinity : quota };
  } catch {
    // The browser may deny storage to this site, for instance in a frame of another site.
    return { usage: 0, quota: Infinity };
  }
}

function isSubstitute(room: number): boolean {
  return room > 0 && room <= LARGEST_SUBSTITUTE && room % GIBIBYTE === 0;
}
