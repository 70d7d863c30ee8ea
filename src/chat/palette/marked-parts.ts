/**
 * A text in parts, every other one of which, from the second on, fits what was typed. Letters that stand together stay
 * together: a browser draws some as one, and some have two units.
 * @param positions Places of the letters that fit, in order.
 */
export function markedParts(text: string, positions: readonly number[]): readonly string[] {
  const parts: string[] = [];
  let end = 0;
  for (const position of positions) {
    if (parts.length > 0 && position === end) parts.push(parts.pop()! + text[position]!);
    else parts.push(text.slice(end, position), text[position]!);
    end = position + 1;
  }
  return [...parts, text.slice(end)];
}
