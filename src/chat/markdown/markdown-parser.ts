import { Marked, Tokenizer, type Tokens, type TokensList } from 'marked';
import { markdownStrings } from '../strings/message-strings.ts';
import { BoundedLexer, isWholeText, noDefinitions, type Definitions } from './syntax/bounded-lexer.ts';
import { HeadingLevels } from './heading-levels.ts';
import { boundedNesting } from './syntax/bounded-nesting.ts';
import { takeAlertMarker } from './syntax/alert-marker.ts';
import { definitionListSyntax } from './syntax/definition-list-syntax.ts';
import { detailsSyntax } from './syntax/details-syntax.ts';
import { footnoteSyntax } from './syntax/footnote-syntax.ts';
import { formulaOfCode, formulaSyntax } from './syntax/formula-syntax.ts';
import { numberItems, numberOf } from './syntax/list-numbers.ts';
import { isPlainTag } from './syntax/plain-tags.ts';
import { tableWithWholeCells } from './syntax/table-with-whole-cells.ts';
import { linkDefinitionSyntax } from './syntax/link-definition-syntax.ts';
import { linkAddress } from './syntax/link-addresses.ts';
import { nestedFence } from './syntax/nested-fence.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const extensions = [
  footnoteSyntax(escapeHtml),
  linkDefinitionSyntax(escapeHtml),
  detailsSyntax(),
  definitionListSyntax(),
  formulaSyntax(escapeHtml),
];
const marked = new Marked(...extensions, {
  gfm: true,
  tokenizer: {
    blockquote: boundedNesting(Tokenizer.prototype.blockquote),
    list: boundedNesting(Tokenizer.prototype.list),
    fences(text) {
      return nestedFence(text, isWholeText(this)) ?? false;
    },
    url: linkAddress,
    table: tableWithWholeCells,
    // A line of `=` or `-` below a formula or a footnote would otherwise make them a heading.
    lheading(text) {
      const heading = Tokenizer.prototype.lheading.call(this, text);
      const starts = this.lexer.options.extensions?.startBlock ?? [];
      const isOther = starts.some(
        (start) => start.call({ lexer: this.lexer }, `\n${heading?.raw ?? ''}`) !== undefined,
      );
      return isOther ? undefined : heading;
    },
    // One tilde is not strikethrough, because it means "to" or "about": `3~5` days. Two tildes are.
    del: (text) => (text.startsWith('~~') ? false : undefined),
  },
  renderer: {
    html: ({ text }) => (isPlainTag(text) ? text : escapeHtml(text)),
    // An image becomes a link, because the page loads nothing from other sites.
    image({ href, text, tokens }) {
      const description = tokens === undefined ? text : this.parser.parseInline(tokens, this.parser.textRenderer);
      return `<a href="${escapeHtml(href)}">${escapeHtml(markdownStrings.image(description === '' ? href : description))}</a>`;
    },
    blockquote({ tokens }) {
      const alert = takeAlertMarker(tokens);
      if (alert === undefined) return `<blockquote>\n${this.parser.parse(tokens)}</blockquote>\n`;
      const title = escapeHtml(alert.name ?? markdownStrings.alerts[alert.kind]);
      return `<blockquote class="alert ${alert.kind}"><p class="title">${title}</p>\n${this.parser.parse(alert.tokens)}</blockquote>\n`;
    },
    heading({ tokens, depth }) {
      return `<h${depth}>${this.parser.parseInline(tokens)}</h${depth}>`;
    },
    code({ text, lang }) {
      const [language = '', ...more] = lang?.split(/\s/) ?? [];
      const formula = formulaOfCode(text, language);
      if (formula !== undefined) return `<p><code class="formula display">${escapeHtml(formula)}</code></p>`;
      // What follows the language is often the name of a file, or text that belongs into the block.
      const title = more.length === 0 ? '' : ` title="${escapeHtml(lang ?? '')}"`;
      return `<pre><code class="language-${escapeHtml(language)}"${title}>${escapeHtml(text)}</code></pre>`;
    },
    // An answer such as "42." is shown as text. In Markdown it would be an empty list item.
    list({ ordered, items: [first, ...more], raw }) {
      return ordered && more.length === 0 && first?.text === '' ? `<p>${escapeHtml(raw.trim())}</p>\n` : false;
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    // In a task list, the checkbox replaces the bullet.
    listitem(item) {
      const number = numberOf(item);
      const value = number === undefined ? '' : ` value="${number}"`;
      return `<li${value}${item.task ? ' class="task"' : ''}>${this.parser.parse(item.tokens)}</li>`;
    },
  },
});

/**
 * Splits a text into its top-level blocks, without parsing inline syntax.
 * @param text Has LF line ends.
 * @param definitions Those of earlier text. The footnotes of this text are added.
 * @param isWhole Whether no text follows.
 */
export function lexBlocks(text: string, definitions: Definitions, isWhole: boolean): TokensList {
  const lexer = new BoundedLexer(marked.defaults, definitions, isWhole);
  lexer.blockTokens(text, lexer.tokens);
  return lexer.tokens;
}

/**
 * Renders Markdown as HTML. It is not yet safe: {@link renderBlock} sanitises it.
 * @param definitions Those of the whole text. Default: only those of this one.
 * @param levels The levels of the headings before it. Default: there are none.
 * @param isWhole Whether no text follows that belongs to the last block. Default: true.
 */
export function markdownToHtml(
  text: string,
  definitions = noDefinitions(),
  levels = new HeadingLevels(),
  isWhole = true,
): string {
  // The end of a growing text is rendered repeatedly, and its links must not count as being before its definitions.
  const known = isWhole ? definitions : { ...definitions, used: new Set(definitions.used) };
  const tokens = new BoundedLexer(marked.defaults, known, isWhole).lex(text);
  void marked.walkTokens(tokens, (token) => {
    if (token.type === 'heading') token['depth'] = levels.next(token['depth']);
    if (token.type === 'list') numberItems(token as Tokens.List);
  });
  return marked.parser(tokens);
}
