/**
 * Returns an id that is always the same for a text. Chats and messages that have no usable id in their file get such ones,
 * so that importing the file again finds them instead of adding them again. Ids of different texts differ by chance only,
 * which is enough: the import compares what it finds.
 */
export function stableId(text: string): string {
  const lanes = [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a];
  const add = (unit: number): void => {
    for (const lane of lanes.keys()) {
      const mixed = Math.imul(lanes[lane]! ^ unit, 0x9e37_79b1 + 2 * lane);
      lanes[lane] = mixed ^ (mixed >>> 15) ^ lanes[(lane + 1) % lanes.length]!;
    }
  };
  for (let at = 0; at < text.length; at += 1) add(text.charCodeAt(at));
  // Spreads the last characters over all bits.
  for (const _ of lanes) add(text.length);
  return lanes.map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
}
