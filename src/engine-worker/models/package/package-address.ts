/** Address of the hub from which most models come. */
export const HUGGING_FACE = 'https://huggingface.co/';

/**
 * Returns the base address of a package's files, with a trailing slash. On Hugging Face this is the branch `main`, as
 * in WebLLM, unless the address names another branch.
 */
export function packageBase(address: string): string {
  const url = new URL(address);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  if (url.hostname === 'huggingface.co') {
    url.pathname = url.pathname.replace(/^(\/[^/]+\/[^/]+)\/(?:tree|blob)\//, '$1/resolve/');
  }
  if (url.hostname === 'huggingface.co' && !/\/resolve\/[^/]+\//.test(url.pathname)) url.pathname += 'resolve/main/';
  url.search = '';
  url.hash = '';
  return url.href;
}

/**
 * Returns the address of a file's copy in a mirror.
 * @param mirror Base address of the mirror, with a trailing slash. If null, returns `address` itself.
 */
export function mirrored(address: string, mirror: string | null): string {
  return mirror === null ? address : address.replace(/^https?:\/\//, () => mirror);
}

/** Whether an address equals `original`, or is the address of its copy in any mirror. */
export function isCopyOf(address: string, original: string): boolean {
  return address === original || address.endsWith(mirrored(original, '/'));
}

/**
 * Returns an address from which WebLLM loads a package. WebLLM appends `resolve/main/` to every address without
 * `/resolve/…/`. So this address has it, and the segments `../../` cancel it when the address is parsed.
 */
export function engineModelUrl(modelUrl: string): string {
  return /\/resolve\/.+\//.test(modelUrl) ? modelUrl : `${modelUrl}resolve/main/../../`;
}

/**
 * Returns an address from which WebLLM loads a library. It escapes the word `localhost`: WebLLM does not cache
 * addresses that contain it, so the library would not load offline.
 */
export function engineLibraryUrl(libraryUrl: string): string {
  return libraryUrl.replace('localhost', '%6Cocalhost');
}
