/**
 * The paragraphs of an answer as they are read aloud: without the marks of Markdown, and without code, which nobody can
 * follow by ear.
 */
export function spokenText(markdown: string): readonly string[] {
  return markdown
    .replace(/^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\1.*$|$(?![^]))/gm, '\n\n')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\|?[-: |]{3,}\|?$)[ \t]?/gm, '')
    .replace(/[*_`~|]+/g, '')
    .split(/\n\s*\n|\n(?=\S)/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => /[\p{L}\p{N}]/u.test(paragraph));
}
