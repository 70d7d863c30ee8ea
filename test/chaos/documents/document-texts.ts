/** Consonants and vowels of the words that stand for numbers. No text of the site has such words. */
const [CONSONANTS, VOWELS] = ['bdfgklmnprtvz', 'aeiou'];

/** Returns the word that only one file has, in each of its parts. */
export function wordOfFile(file: number): string {
  return `x${syllablesFor(file)}x`;
}

function syllablesFor(number: number): string {
  const syllables: string[] = [];
  for (let rest = number; rest > 0 || syllables.length < 4; rest = Math.floor(rest / 65)) {
    syllables.push(CONSONANTS[rest % 13]! + VOWELS[Math.floor(rest / 13) % 5]!);
  }
  return syllables.join('');
}

/** Returns the word that only one part of one file has. */
export function wordOfPart(file: number, part: number): string {
  return `${wordOfFile(file)}${syllablesFor(part)}`;
}

/** Returns the text of a file, of which each part is a passage. */
export function textOf(file: number, parts: number): string {
  const filler = 'the same words stand in each part so that only one of them tells which part it is '.repeat(3);
  return Array.from({ length: parts }, (_, part) => `# Part ${part}\n\n${wordOfPart(file, part)} ${filler}`).join(
    '\n\n',
  );
}
