/** The number that stands at the beginning of the prompt only. */
export const NUMBER = '48213';

const PLACES = ['sea', 'sky', 'field', 'road', 'river', 'garden', 'forest', 'house', 'street', 'hill', 'lake', 'tower'];
const LOOKS = ['blue', 'wide', 'quiet', 'old', 'green', 'long', 'warm', 'cold', 'white', 'bright', 'dark'];
const ACTORS = ['bird', 'child', 'wind', 'boat', 'fox', 'farmer', 'horse', 'cloud', 'friend', 'cat', 'train'];
const DEEDS = ['sings', 'waits', 'sleeps', 'turns', 'rests', 'walks', 'moves'];

/**
 * Returns a text that begins with a sentence about a number and ends within the same sentence, so that a model which was
 * only pre-trained can go on with the number. No other line has a digit.
 * @param lines How many lines stand between both.
 */
export function numberPrompt(lines: number): string {
  const between = Array.from({ length: lines }, (_, index) => {
    const at = (words: readonly string[], step: number) =>
      words[(index * step + Math.floor(index / 77)) % words.length]!;
    return `The ${at(PLACES, 1)} is ${at(LOOKS, 1)}, and the ${at(ACTORS, 7)} ${at(DEEDS, 3)}.`;
  });
  return [`The secret number is ${NUMBER}.`, ...between, 'The secret number is'].join('\n');
}
