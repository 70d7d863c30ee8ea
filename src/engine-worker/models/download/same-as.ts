import { readStream } from './read-stream.ts';

/**
 * Returns a function that tells whether bytes are those that come next in a stream.
 * @param open Opens the stream when the first bytes are compared.
 */
export function sameAs(open: () => ReadableStream<Uint8Array>): (bytes: Uint8Array) => Promise<boolean> {
  let chunks: ReturnType<typeof readStream<Uint8Array>> | undefined;
  let next: Uint8Array = new Uint8Array();
  return async (bytes) => {
    for (let at = 0; at < bytes.length;) {
      while (next.length === 0) {
        const { value } = await (chunks ??= readStream(open())).next();
        if (value === undefined) return false;
        next = value;
      }
      const length = Math.min(next.length, bytes.length - at);
      for (let index = 0; index < length; index++) if (next[index] !== bytes[at + index]) return false;
      next = next.subarray(length);
      at += length;
    }
    return true;
  };
}
