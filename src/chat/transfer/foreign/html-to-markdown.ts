const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Elements that begin a paragraph of their own. */
const BLOCK = /^(?:p|div|ul|ol|table|blockquote|section|h[1-6])$/;

/** What stands at the beginning and at the end of an element within a line. */
const MARKS: Readonly<Record<string, string>> = { strong: '**', b: '**', em: '*', i: '*', code: '`', del: '~~' };

/** Returns HTML, as another product's export has answers in it, as Markdown. Other elements become their text. */
export function htmlToMarkdown(html: string): string {
  const lists: { isNumbered: boolean; count: number }[] = [];
  const links: string[] = [];
  let isCode = false;
  let rows = 0;
  let cells = 0;
  const visible = html.replace(/<(script|style)\b[^]*?(?:<\/\1>|$)|<!--[^]*?(?:-->|$)/gi, '');
  const text = visible.replace(
    /<(\/?)([a-z][a-z0-9]*)([^<>]*)>|[^<]+|</gi,
    (found: string, slash?: string, tag?: string, attributes = '') => {
      const name = tag?.toLowerCase();
      if (name === undefined) return isCode ? decoded(found) : decoded(found.replace(/\s+/g, ' '));
      const isEnd = slash === '/';
      if (name === 'pre') {
        isCode = !isEnd;
        return isEnd ? '\n```\n\n' : '\n\n```\n';
      }
      if (name === 'ul' || name === 'ol') {
        if (isEnd) lists.pop();
        else lists.push({ isNumbered: name === 'ol', count: 0 });
        return lists.length === (isEnd ? 0 : 1) ? '\n\n' : '';
      }
      if (name === 'li') return isEnd ? '' : itemOf(lists);
      if (name === 'a') {
        if (!isEnd) links.push(/\bhref="([^"]*)"/i.exec(attributes)?.[1] ?? '');
        return isEnd ? `](${decoded(links.pop() ?? '')})` : '[';
      }
      if (name === 'table') rows = 0;
      if (name === 'tr' && !isEnd) cells = 0;
      if (name === 'tr') return isEnd ? endOfRow((rows += 1), cells) : '\n';
      if (name === 'td' || name === 'th') {
        cells += isEnd ? 0 : 1;
        return isEnd ? ' ' : '| ';
      }
      if (name === 'br') return '\n';
      if (BLOCK.test(name)) return `\n\n${isEnd || !/^h\d$/.test(name) ? '' : `${'#'.repeat(Number(name[1]))} `}`;
      return isCode ? '' : (MARKS[name] ?? '');
    },
  );
  const lines = text.split('\n').map((line) => line.trimEnd());
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function itemOf(lists: readonly { readonly isNumbered: boolean; count: number }[]): string {
  const list = lists.at(-1) ?? { isNumbered: false, count: 0 };
  list.count += 1;
  return `\n${'   '.repeat(Math.max(lists.length - 1, 0))}${list.isNumbered ? `${list.count}.` : '-'} `;
}

/** Returns the end of a table's row, below which the first one has a rule. */
function endOfRow(row: number, cells: number): string {
  return row === 1 ? `|\n|${'---|'.repeat(cells)}` : '|';
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
