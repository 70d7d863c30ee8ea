/** Matches the marks by which an answer cites its sources, such as `[1]`, `[1, 3]`, `[2-4]` and `【2】`. */
export const CITATION = /[[【]\d{1,2}(?:\s*[,;–-]\s*\d{1,2})*[\]】]/g;

/** Matches code, as the group, in which numbers in brackets are no marks; or marks that follow each other. */
const CODE_OR_MARKS = new RegExp(
  // After a letter or a bracket it may be the index of a list in a program.
  String.raw`((?<fence>\x60{3,})[^]*?(?:\k<fence>|$)|\x60[^\x60\n]*\x60)|[ \t]?(?<![\w\]])(?:${CITATION.source})(?:\s?(?:${CITATION.source}))*`,
  'g',
);

/** Removes the marks from an answer. In the next request their numbers would belong to other passages. */
export function withoutCitations(text: string): string {
  return text.replace(CODE_OR_MARKS, '$1');
}
