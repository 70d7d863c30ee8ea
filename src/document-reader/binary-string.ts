/** Characters that are made at once. More arguments of one call could overflow the stack. */
const PIECE = 0x2000;

/** Returns a text whose characters have the numbers of the bytes. `TextDecoder` has no such encoding. */
export function binaryString(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return text;
}
