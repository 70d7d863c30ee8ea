interface SiteOptions {
  /** Additional origins of models; false for a strict site. */
  readonly modelHosts: readonly string[] | false;
  /** Further options of the endpoint. Default: none. */
  readonly options?: object;
}

/**
 * The statements before a site's service worker script that tell it its options. Empty if there are none. A changed script
 * is a new build for browsers, which then fetch the files again, with the changed headers.
 */
export function siteOptionsScript({ modelHosts, options = {} }: SiteOptions): string {
  const all = { ...options, ...(modelHosts === false && { modelHosts }) };
  return (
    (Object.keys(all).length > 0 ? `self.tabserve = ${JSON.stringify(all)};\n` : '') +
    (modelHosts !== false && modelHosts.length > 0
      ? `self.tabserveHosts = ${JSON.stringify(modelHosts.join(' '))};\n`
      : '')
  );
}
