import { inFence } from '../../../shared/in-fence.ts';
import { linkTo } from './links.ts';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Elements that begin a paragraph of their own. */
const BLOCK = /^(?:p|div|section|h[1-6])$/;

/** What stands at the beginning and at the end of an element within a line. */
const MARKS: Readonly<Record<string, string>> = { strong: '**', b: '**', em: '*', i: '*', del: '~~' };

/** Stands on the empty lines of code, all of which stay. */
const KEPT_EMPTY = '\0';

/** An element that is open, with the Markdown of what is in it so far. */
interface Open {
  readonly name: string;
  attributes: string;
  text: string;
  /** The number of its items or rows so far. */
  count: number;
}

/** Returns the Markdown of an element that has ended, for the element around it. */
type Close = (ended: Open, outer: Open) => string;

/** The elements whose Markdown depends on all that is in them. */
const CLOSE: Readonly<Record<string, Close>> = {
  pre: ({ text, attributes }) =>
    block(
      inFence(text.replace(/^\n|\n$/g, ''), /\blanguage-([\w+#-]+)/.exec(attributes)?.[1]).replace(/^$/gm, KEPT_EMPTY),
    ),
  code: ({ text }) => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``),
  a: ({ text, attributes }) => {
    const address = decoded(attributeOf(attributes, 'href'));
    return /^(?:https?|mailto):/i.test(address) && text.trim() !== '' ? linkTo(text, address) : text;
  },
  blockquote: ({ text }) =>
    block(
      tidy(text)
        .replace(/^(?=.)/gm, '> ')
        .replace(/^$/gm, '>'),
    ),
  ul: listOf,
  ol: listOf,
  li: ({ text }, list) => {
    const number = Number(attributeOf(list.attributes, 'start') || 1) + list.count;
    const mark = list.name === 'ol' ? `${number}.` : '-';
    list.count += 1;
    return `${mark} ${tidy(text).replace(/\n(?=.)/g, `\n${' '.repeat(Math.max(mark.length + 1, 3))}`)}\n`;
  },
  table: ({ text }) => block(text.trim()),
  tr: ({ text, count }, table) => {
    table.count += 1;
    return `${text}|\n${table.count === 1 ? `|${'---|'.repeat(count)}\n` : ''}`;
  },
  th: cellOf,
  td: cellOf,
};

function listOf({ text }: Open, { name }: Open): string {
  return name === 'li' ? `\n${text.trim()}\n` : block(text.trim());
}

function cellOf({ text }: Open, row: Open): string {
  row.count += 1;
  return `| ${tidy(text)
    .replace(/\|/g, String.raw`\|`)
    .replace(/\n+/g, '<br>')} `;
}

/** Elements in which only other elements count, not what is between them. */
const ONLY_ELEMENTS = /^(?:ul|ol|table|tr)$/;

/** Most elements that are open at once; those in them become their text. */
const MOST_OPEN = 40;

/** Returns HTML, as another product's export has answers in it, as Markdown. Other elements become their text. */
export function htmlToMarkdown(html: string): string {
  const visible = html.replace(/<(script|style)\b[^]*?(?:<\/\1>|$)|<!--[^]*?(?:-->|$)/gi, '');
  const open: Open[] = [{ name: '', attributes: '', text: '', count: 0 }];
  const add = (text: string) => void (open.at(-1)!.text += text);
  const close = () => {
    const ended = open.pop()!;
    add(CLOSE[ended.name]!(ended, open.at(-1)!));
  };
  const isIn = (name: string) => open.some((element) => element.name === name);
  for (const [found, slash, tag, attributes = ''] of visible.matchAll(/<(\/?)([a-z][a-z0-9]*)([^<>]*)>|[^<]+|</gi)) {
    const name = tag?.toLowerCase();
    const isEnd = slash === '/';
    const inner = open.at(-1)!;
    if (name === undefined) {
      if (isIn('pre')) add(decoded(found));
      else if (!ONLY_ELEMENTS.test(inner.name) || found.trim() !== '') add(decoded(found.replace(/\s+/g, ' ')));
    } else if (isIn('pre') && !(isEnd && name === 'pre')) {
      if (name === 'br') add('\n');
      if (name === 'code' && !isEnd) inner.attributes += attributes;
    } else if (Object.hasOwn(CLOSE, name)) {
      const place = open.findLastIndex((element) => element.name === name);
      // An item, row or cell also ends where the next one begins.
      const ends = isEnd ? place : /^(?:li|tr|td|th)$/.test(name) && inner.name === name ? open.length - 1 : -1;
      if (ends > 0) while (open.length > ends) close();
      // A link in a link would be escaped twice.
      const isAllowed = open.length < MOST_OPEN && !(name === 'a' && isIn('a'));
      if (!isEnd && isAllowed) open.push({ name, attributes, text: '', count: 0 });
    } else if (name === 'br') add('\n');
    else if (name === 'hr') add(block('---'));
    else if (BLOCK.test(name)) add(`\n\n${isEnd || !/^h\d$/.test(name) ? '' : `${'#'.repeat(Number(name[1]))} `}`);
    else if (Object.hasOwn(MARKS, name) && !isIn('code')) add(MARKS[name]!);
  }
  while (open.length > 1) close();
  return tidy(open[0]!.text).replaceAll(KEPT_EMPTY, '');
}

function block(text: string): string {
  return `\n\n${text}\n\n`;
}

/** Removes the blanks at the ends of lines, and all empty lines but one between two paragraphs. */
function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd());
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function attributeOf(attributes: string, name: string): string {
  const [, double, single] = new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)')`, 'i').exec(attributes) ?? [];
  return double ?? single ?? '';
}

function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi,
    (entity, decimal?: string, hex?: string, name = '') => {
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code < 0x11_0000 ? String.fromCodePoint(code) : (ENTITIES[name] ?? entity);
    },
  );
}
