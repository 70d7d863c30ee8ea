import highlighter from 'highlight.js/lib/common';

/** Code as HTML with its parts in `hljs-…` spans, everything else escaped; null for an unknown language. */
export function highlight(code: string, language: string): string | null {
  if (highlighter.getLanguage(language) === undefined) return null;
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}
