/**
 * Returns the cache key of the piece of a file that begins at this byte: the file's address with an additional
 * parameter. It is never fetched. Setting the parameter may write the other parameters of the address in another way
 * (`/` becomes `%2F`, `%20` becomes `+`), so the key need not begin with the address. To find out whether a key belongs
 * to a file, compare the key of the first piece: for any key of a piece, `pieceKey(key, 0)` is that of its file.
 *
 * @param address Address of the file, or the key of one of its pieces.
 */
export function pieceKey(address: string, start: number): string {
  const url = new URL(address);
  url.searchParams.set('tabserve-piece-from', String(start));
  // Caches ignore the fragment.
  url.hash = '';
  return url.href;
}
