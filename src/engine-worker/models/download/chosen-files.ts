/** Folder of the addresses of chosen files, below the root of the site. No server has it. */
const FOLDER = 'models/chosen/';

/**
 * Files that a person has chosen from the device. Each gets an address, so that the downloader copies it like a file of a server.
 * The browser forgets the files when this worker ends; the same file gets the same address again.
 */
export class ChosenFiles {
  readonly #files = new Map<string, File>();

  /**
   * Adds the files of a model.
   * @param site Root address of the site, with a trailing slash.
   * @returns their addresses, which differ in the names of the files only.
   */
  add(files: readonly File[], site: string): readonly string[] {
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const time = Math.max(...files.map(({ lastModified }) => lastModified));
    return files.map((file) => {
      const address = new URL(`${FOLDER}${bytes}-${time}/${encodeURIComponent(file.name)}`, site).href;
      this.#files.set(address, file);
      return address;
    });
  }

  /**
   * Wraps `fetch` so that it also reads chosen files, from the first byte of a range to their end.
   * It rejects with a `NotFoundError` for a file that is not chosen any more, and its body with a `NotReadableError` for one that
   * has changed.
   */
  fetchWith(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const address = input instanceof Request ? input.url : String(input);
      const file = this.#files.get(address);
      if (file === undefined) {
        if (isChosen(address)) throw new DOMException('The file is not chosen any more.', 'NotFoundError');
        return fetch(input, init);
      }
      const from = Number(/^bytes=(\d+)-/.exec(new Headers(init?.headers).get('range') ?? '')?.[1] ?? 0);
      const headers = {
        'content-length': String(file.size - from),
        'content-range': `bytes ${from}-${file.size - 1}/${file.size}`,
      };
      return new Response(file.slice(from).stream(), { status: from === 0 ? 200 : 206, headers });
    };
  }
}

/** Whether an address is that of a file that a person chose. */
function isChosen(address: string): boolean {
  return new RegExp(`/${FOLDER}\\d+-\\d+/[^/]+$`).test(address);
}
