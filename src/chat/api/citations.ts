/** Matches the marks by which an answer cites its sources, such as `[1]`, `[1, 3]` and `【2】`. */
export const CITATION = /[[【]\d{1,2}(?:\s*[,;]\s*\d{1,2})*[\]】]/g;

/** Removes the marks from an answer. In the next request their numbers would belong to other passages. */
export function withoutCitations(text: string): string {
  // After a letter or a bracket it may be the index of a list in a program.
  return text
    .replace(new RegExp(String.raw`(?<![\w\]])(?:${CITATION.source})`, 'g'), '')
    .replace(/[ \t]+(?=[.,;:!?\n]|$)/gm, '');
}
