/**
 * The address below which a package's files lie, with a trailing slash. On Hugging Face a model's page is
 * not its files: like WebLLM, take the `main` branch unless the address names one.
 */
export function packageBase(address: string): string {
  const url = new URL(address);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  if (url.hostname === 'huggingface.co' && !/\/resolve\/[^/]+\//.test(url.pathname)) url.pathname += 'resolve/main/';
  url.search = '';
  url.hash = '';
  return url.href;
}

/**
 * An address of the catalogue, or that of its copy in a mirror: below the mirror's base, host and path are as they were.
 * @param mirror With a trailing slash; null where there is none.
 */
export function mirrored(address: string, mirror: string | null): string {
  return mirror === null ? address : address.replace(/^https?:\/\//, () => mirror);
}

/** Whether an address is that of the catalogue or of its copy in whatever mirror. */
export function isCopyOf(address: string, original: string): boolean {
  return address === original || address.endsWith(mirrored(original, '/'));
}

/**
 * A package's address in the form that WebLLM leaves alone. It appends `resolve/main/`, the layout of one
 * model hub, to every address without a `/resolve/…/` in it; the dots take that back out when WebLLM, or
 * anyone, parses the address.
 */
export function engineModelUrl(modelUrl: string): string {
  return /\/resolve\/.+\//.test(modelUrl) ? modelUrl : `${modelUrl}resolve/main/../../`;
}

/**
 * The library's address in the form that lets WebLLM use its cache. It looks for `localhost` in the text
 * and then fetches anew each time, which fails offline; the escape means the same host.
 */
export function engineLibraryUrl(libraryUrl: string): string {
  return libraryUrl.replace('localhost', '%6Cocalhost');
}
