/** Name of the field by which the text of a Markdown file passes through the reading of import files. */
export const MARKDOWN = 'tabserveMarkdown';

/** Matches the heading of a message, in each language of this page. The group is the model of an answer. */
const HEADING = String.raw`## (?:Question|Frage|(?:Answer|Antwort) \((.*)\))`;
const MESSAGE = new RegExp(`^${HEADING}$`);

/** Lines of a message that would be read as something else if they were not escaped. */
const SPECIAL = String.raw`(?=(?:${HEADING}|</?details>|<!-- tabserve: .*-->)$)`;
const ESCAPED = new RegExp(String.raw`^(\\*)${SPECIAL}`, 'gm');
const UNESCAPED = new RegExp(String.raw`^\\(\\*)${SPECIAL}`, 'gm');

const OPEN_BLOCK = '<!-- tabserve: this block of code was open -->';
const CLOSED = new RegExp(String.raw`\n\x60{3,}\n\n${OPEN_BLOCK}$|\n~{3,}\n\n${OPEN_BLOCK}$`);

/** Whether a text is a chat that this page has exported as Markdown. */
export function isConversationMarkdown(text: string): boolean {
  return /^#(?: |\r?\n)/.test(text) && new RegExp(`^${HEADING}\r?$`, 'm').test(text);
}

/** Returns the text of a Markdown file among imported documents; null for any other document. */
export function markdownOf(document: unknown): string | null {
  const text = typeof document === 'object' && document !== null && MARKDOWN in document ? document[MARKDOWN] : null;
  return typeof text === 'string' ? text : null;
}

/** Returns the model of an answer's heading, a model of null for a question's; null for any other line. */
export function readHeading(line: string): { readonly model: string | null } | null {
  const found = MESSAGE.exec(line);
  return found && { model: found[1] ?? null };
}

/** Prepares a text for the file: escapes its lines that have a meaning there, and closes a block of code. */
export function toFile(text: string): string {
  const escaped = trimmed(text).replace(ESCAPED, '$1\\');
  const fence = openFence(escaped);
  return fence === '' ? escaped : `${escaped}\n${fence}\n\n${OPEN_BLOCK}`;
}

/** Returns a text without the line feeds before it and the white space after it. */
export function trimmed(text: string): string {
  return text.replace(/^\n+/, '').trimEnd();
}

/** Restores a text that {@link toFile} has prepared. */
export function fromFile(text: string): string {
  const open = trimmed(text).replace(CLOSED, '');
  return open.replace(UNESCAPED, '$1');
}

/** Returns the fence of the block of code in which a Markdown text ends; empty if it ends in none. */
function openFence(text: string): string {
  let fence = '';
  for (const line of text.split('\n')) {
    const [, marks = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (marks === '') continue;
    if (fence === '') fence = marks.startsWith('`') && info.includes('`') ? '' : marks;
    else if (marks.startsWith(fence) && info.trim() === '') fence = '';
  }
  return fence;
}

/** Writes a text as a quotation. */
export function quote(text: string): string {
  return `> ${text.replaceAll('\n', '\n> ')}`;
}

/** Returns the text of the quotation in a text; empty if there is none. */
export function unquote(text: string): string {
  const lines = text.split('\n').filter((line) => line.startsWith('>'));
  return lines.map((line) => line.replace(/^> ?/, '')).join('\n');
}
