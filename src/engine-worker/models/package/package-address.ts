/**
 * The base address of a package's files, with a trailing slash. Like WebLLM, takes the `main` branch on Hugging Face
 * unless the address names one.
 */
export function packageBase(address: string): string {
  const url = new URL(address);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  if (url.hostname === 'huggingface.co' && !/\/resolve\/[^/]+\//.test(url.pathname)) url.pathname += 'resolve/main/';
  url.search = '';
  url.hash = '';
  return url.href;
}

/** @param mirror Base of the copies, with a trailing slash; null for none. */
export function mirrored(address: string, mirror: string | null): string {
  return mirror === null ? address : address.replace(/^https?:\/\//, () => mirror);
}

/** Whether an address is the original or its copy in any mirror. */
export function isCopyOf(address: string, original: string): boolean {
  return address === original || address.endsWith(mirrored(original, '/'));
}

/**
 * WebLLM appends `resolve/main/` to any address without `/resolve/…/`. The dots cancel that segment when the address is
 * parsed.
 */
export function engineModelUrl(modelUrl: string): string {
  return /\/resolve\/.+\//.test(modelUrl) ? modelUrl : `${modelUrl}resolve/main/../../`;
}

/** Escapes `localhost`: WebLLM bypasses its cache for addresses that contain it, which fails offline. */
export function engineLibraryUrl(libraryUrl: string): string {
  return libraryUrl.replace('localhost', '%6Cocalhost');
}
