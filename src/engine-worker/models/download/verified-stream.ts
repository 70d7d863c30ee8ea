import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { contentError, checksumError, tooLongError, tooShortError } from './download-error.ts';
import type { PackageFile } from '../package/package-file.ts';

const WASM_MAGIC = [0x00, 0x61, 0x73, 0x6d];

/**
 * Forwards a file and verifies it. If the file does not match the package, the stream ends with a DownloadError, and
 * `Cache.put` discards the file.
 */
export function verifiedStream(file: PackageFile): TransformStream<Uint8Array, Uint8Array> {
  const hash = file.md5 === null ? null : md5.create();
  const start: number[] = [];
  const text = file.kind === 'json' ? new TextDecoder() : null;
  let json = '';
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      hash?.update(chunk);
      if (start.length < WASM_MAGIC.length) start.push(...chunk.subarray(0, WASM_MAGIC.length - start.length));
      if (text !== null) json += text.decode(chunk, { stream: true });
      controller.enqueue(chunk);
    },
    flush() {
      if (file.bytes !== null && bytes !== file.bytes)
        throw (bytes > file.bytes ? tooLongError : tooShortError)(file, bytes);
      const sum = hash === null ? null : bytesToHex(hash.digest());
      if (sum !== null && sum !== file.md5) throw checksumError(file, sum);
      if (file.kind === 'wasm' && WASM_MAGIC.some((byte, index) => start[index] !== byte)) {
        throw contentError(file, 'a WebAssembly library');
      }
      if (text !== null) requireJson(file, json + text.decode());
    },
  });
}

function requireJson(file: PackageFile, text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    throw contentError(file, 'JSON', error);
  }
}
