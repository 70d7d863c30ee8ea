/** Returns the text up to its first empty line. */
export function linesUntilEmpty(text: string): string {
  const end = /\n[ \t]*\n/.exec(text);
  return end === null ? text : text.slice(0, end.index + 1);
}
