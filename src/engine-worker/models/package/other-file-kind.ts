import type { OtherFileKind } from '../../../shared/coded-sentence.ts';

/** The first bytes of kinds of files that are found in place of GGUF files. */
const MAGICS: readonly (readonly [kind: OtherFileKind, bytes: readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf]],
  ['pickle', [0x80, 0x02]],
  ['webAssembly', [0x00, 0x61, 0x73, 0x6d]],
  // Old formats of llama.cpp begin with a little-endian number that reads ggml, ggmf, ggjt or ggla.
  ['ggml', [...'lmgg'].map(codeOf)],
  ['ggml', [...'fmgg'].map(codeOf)],
  ['ggml', [...'tjgg'].map(codeOf)],
  ['ggml', [...'algg'].map(codeOf)],
  ['ggml', [...'ggml'].map(codeOf)],
  ['bigEndian', [...'GGUF', '\0', '\0', '\0'].map(codeOf)],
];

/** The beginnings of texts that are found in place of GGUF files. */
const TEXTS: readonly (readonly [kind: OtherFileKind, beginning: RegExp])[] = [
  ['lfsPointer', /^version https:\/\/git-lfs/],
  ['annexPointer', /^\.?\.?\/?annex\/objects\//],
  ['html', /^(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body|title)/is],
  ['xml', /^<\?xml|^<Error>/],
  ['json', /^[{[]\s*["{[\]}]/],
];

/** Limit of the header of a safetensors file in bytes, as its library sets it. */
const MAX_SAFETENSORS_HEADER = 1e8;

/**
 * Returns what a file is that should be a GGUF file and is none.
 * @param start The first bytes of the file, some hundred.
 * @returns null if that is not known.
 */
export function otherFileKind(start: Uint8Array<ArrayBuffer>): OtherFileKind | null {
  if (start.length === 0) return 'empty';
  const found = MAGICS.find(([, magic]) => magic.every((byte, index) => start[index] === byte));
  if (found !== undefined) return found[0];
  if (isSafetensors(start)) return 'safetensors';
  if (String.fromCharCode(...start.subarray(257, 262)) === 'ustar') return 'tar';
  if (start.length >= 16 && start.every((byte) => byte === 0)) return 'zeros';
  const text = new TextDecoder().decode(start.subarray(0, 512)).trimStart();
  return TEXTS.find(([, beginning]) => beginning.test(text))?.[0] ?? null;
}

/** A safetensors file begins with the length of its header, which is a JSON object. */
function isSafetensors(start: Uint8Array<ArrayBuffer>): boolean {
  if (start.length < 9 || start[8] !== codeOf('{')) return false;
  return new DataView(start.buffer, start.byteOffset).getBigUint64(0, true) < MAX_SAFETENSORS_HEADER;
}

function codeOf(character: string): number {
  return character.charCodeAt(0);
}
