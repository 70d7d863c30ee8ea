/**
 * Returns an id that is always the same for a text. Chats and messages that have no usable id in their file get such ones,
 * so that importing the file again finds them instead of adding them again. Two texts may happen to get the same id,
 * because this is no cryptographic hash: the import compares what it finds.
 */
export function stableId(text: string): string {
  let [a, b, c, d] = [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a];
  // The characters after the text spread its last ones over all bits.
  for (let at = 0; at < text.length + 4; at += 1) {
    const unit = at < text.length ? text.charCodeAt(at) : at;
    a = Math.imul(a ^ unit, 0x9e37_79b1) ^ (b >>> 15);
    b = Math.imul(b ^ unit, 0x85eb_ca6b) ^ (c >>> 13);
    c = Math.imul(c ^ unit, 0xc2b2_ae35) ^ (d >>> 16);
    d = Math.imul(d ^ unit, 0x27d4_eb2f) ^ (a >>> 14);
  }
  return [a, b, c, d].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
}
