/** Maximum bytes of a passage. A token has at least one byte, so a passage fits the window of any embedding model. */
const MAX_BYTES = 480;

/** Maximum passages per text; the rest of a longer text is not searched. */
const MAX_PASSAGES = 32;

/**
 * Splits a text into passages for embedding, at the ends of sentences if possible.
 * @param most Maximum passages. Default: enough to search a message.
 */
export function passagesOf(text: string, most = MAX_PASSAGES): readonly string[] {
  const passages: string[] = [];
  let passage = '';
  const end = () => {
    if (passage.trim() !== '') passages.push(passage.trim());
    passage = '';
  };
  for (const piece of text.split(/(?<=[.!?…。]\s)|(?<=\n)/).flatMap(cutLong)) {
    if (byteLength(passage + piece) > MAX_BYTES) end();
    passage += piece;
  }
  end();
  return passages.slice(0, most);
}

/** Cuts a long sentence into pieces of at most {@link MAX_BYTES}. A character has at most four bytes. */
function cutLong(sentence: string): readonly string[] {
  if (byteLength(sentence) <= MAX_BYTES) return [sentence];
  const characters = [...sentence];
  const length = MAX_BYTES / 4;
  return Array.from({ length: Math.ceil(characters.length / length) }, (_, index) =>
    characters.slice(index * length, (index + 1) * length).join(''),
  );
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
