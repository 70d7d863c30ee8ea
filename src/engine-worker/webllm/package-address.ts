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
