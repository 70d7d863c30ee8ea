/** Bytes of a passage: as many tokens at most, so that it fits into the window of any embedding model. */
const MOST_BYTES = 480;

/** Passages of one text: a longer one is found by its beginning. */
const MOST_PASSAGES = 32;

/**
 * Cuts a text into passages that are short enough to have a meaning of their own, at sentences where there are some.
 * @param most Default: enough to find a message by.
 */
export function passagesOf(text: string, most = MOST_PASSAGES): readonly string[] {
  const passages: string[] = [];
  let passage = '';
  const end = () => {
    if (passage.trim() !== '') passages.push(passage.trim());
    passage = '';
  };
  for (const piece of text.split(/(?<=[.!?…。]\s)|(?<=\n)/).flatMap(cutLong)) {
    if (byteLength(passage + piece) > MOST_BYTES) end();
    passage += piece;
  }
  end();
  return passages.slice(0, most);
}

/** A character has four bytes at most. */
function cutLong(sentence: string): readonly string[] {
  if (byteLength(sentence) <= MOST_BYTES) return [sentence];
  const characters = [...sentence];
  const length = MOST_BYTES / 4;
  return Array.from({ length: Math.ceil(characters.length / length) }, (_, index) =>
    characters.slice(index * length, (index + 1) * length).join(''),
  );
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
