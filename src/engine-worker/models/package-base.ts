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
