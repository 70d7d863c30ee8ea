import { markdownToHtml } from './markdown-parser.ts';

/** Matches the beginning of tags that start a new line. */
const BLOCK = /<(?=\/?(?:p|br|hr|h[1-6]|li|pre|blockquote|t[dhr]|d[dlt]|details|summary)\b)/g;

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

export function plainText(markdown: string): string {
  return markdownToHtml(markdown)
    .replace(BLOCK, ' <')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d{1,6})|(\w+));/g, (entity, code?: string, name = '') =>
      code === undefined ? (CHARACTERS[name] ?? entity) : String.fromCodePoint(Number(code)),
    );
}
