import { sampleHash } from '../package/sample-hash.ts';

/** Folder of the addresses of chosen files, below the site's root. It exists on no server. */
const FOLDER = 'models/chosen/';

/**
 * Files that the user has chosen from the device. Each gets an address, so that the downloader can copy it like a file
 * on a server. The files are known until this worker ends; if the user chooses the same file again, it gets the same
 * address.
 */
export class ChosenFiles {
  readonly #files = new Map<string, File>();

  /**
   * Adds the files of a model. Their content is part of their addresses, because another version of a file can have
   * the same name, size and date.
   * @param site Root address of the site, with a trailing slash.
   * @returns their addresses, which differ only in the names of the files.
   */
  async add(files: readonly File[], site: string): Promise<readonly string[]> {
    const content = await sampleHash(files);
    return files.map((file) => {
      const address = new URL(`${FOLDER}${content}/${encodeURIComponent(file.name)}`, site).href;
      this.#files.set(address, file);
      return address;
    });
  }

  /**
   * Wraps `fetch` so that it also reads chosen files, with the statuses and headers of a server that supports ranges: 200,
   * 206 and 416. It rejects with a `NotFoundError` for a file that is no longer known. The body rejects with a
   * `NotReadableError` if the file has changed on the device.
   */
  fetchWith(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const address = input instanceof Request ? input.url : String(input);
      const file = this.#files.get(address);
      if (file === undefined) {
        if (isChosen(address)) throw new DOMException('The file must be chosen again.', 'NotFoundError');
        return fetch(input, init);
      }
      const range = /^bytes=(\d+)-(\d*)$/.exec(new Headers(init?.headers).get('range') ?? '');
      const from = Number(range?.[1] ?? 0);
      // So ends a copy that was interrupted while the whole file was being checked.
      if (range !== null && from >= file.size)
        return new Response(null, { status: 416, headers: { 'content-range': `bytes */${file.size}` } });
      const part = file.slice(from, range?.[2] ? Number(range[2]) + 1 : file.size);
      const headers = {
        'content-length': String(part.size),
        'content-range': `bytes ${from}-${from + part.size - 1}/${file.size}`,
      };
      return new Response(part.stream(), { status: range === null ? 200 : 206, headers });
    };
  }
}

/** Whether an address is that of a file that the user chose. In those of earlier builds is the size and date of the file. */
export function isChosen(address: string): boolean {
  return new RegExp(`/${FOLDER}(?:[\\da-f]{32}|\\d+-\\d+)/[^/]+$`).test(address);
}
