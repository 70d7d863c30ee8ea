import { Marked, Tokenizer, type Links, type MarkedOptions, type Token, type TokensList } from 'marked';
import { markdownStrings } from '../strings/message-strings.ts';
import { HeadingLevels } from './heading-levels.ts';
import { boundedNesting } from './syntax/bounded-nesting.ts';
import { takeAlertMarker } from './syntax/alert-marker.ts';
import { definitionListSyntax } from './syntax/definition-list-syntax.ts';
import { detailsSyntax } from './syntax/details-syntax.ts';
import { EMPHASIS_RULES } from './syntax/emphasis-rules.ts';
import { footnoteSyntax } from './syntax/footnote-syntax.ts';
import { formulaSyntax } from './syntax/formula-syntax.ts';
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

/** Matches the few tags that models write intentionally, mostly in tables. Other HTML is shown as text. */
const PLAIN_TAG = /^<\/?(?:br|b|i|u|s|em|strong|sub|sup|kbd|mark)\s*\/?>$/i;

const extensions = [footnoteSyntax(escapeHtml), detailsSyntax(), definitionListSyntax(), formulaSyntax(escapeHtml)];
const marked = new Marked(...extensions, {
  gfm: true,
  tokenizer: {
    blockquote: boundedNesting(Tokenizer.prototype.blockquote),
    list: boundedNesting(Tokenizer.prototype.list),
    fences: (text) => nestedFence(text) ?? false,
    url: linkAddress,
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
    html: ({ text }) => (PLAIN_TAG.test(text) ? text : escapeHtml(text)),
    // An image becomes a link, because the page loads nothing from other sites.
    image({ href, text, tokens }) {
      const description = tokens === undefined ? text : this.parser.parseInline(tokens, this.parser.textRenderer);
      return `<a href="${escapeHtml(href)}">${escapeHtml(markdownStrings.image(description === '' ? href : description))}</a>`;
    },
    blockquote({ tokens }) {
      const alert = takeAlertMarker(tokens);
      if (alert === undefined) return `<blockquote>\n${this.parser.parse(tokens)}</blockquote>\n`;
      const title = escapeHtml(markdownStrings.alerts[alert.kind]);
      return `<blockquote class="alert ${alert.kind}"><p class="title">${title}</p>\n${this.parser.parse(alert.tokens)}</blockquote>\n`;
    },
    heading({ tokens, depth }) {
      return `<h${depth}>${this.parser.parseInline(tokens)}</h${depth}>`;
    },
    code: ({ text, lang }) =>
      `<pre><code class="language-${escapeHtml(lang?.split(/\s/)[0] ?? '')}">${escapeHtml(text)}</code></pre>`,
    // An answer such as "42." is shown as text. In Markdown it would be an empty list item.
    list({ ordered, items: [first, ...more], raw }) {
      return ordered && more.length === 0 && first?.text === '' ? `<p>${escapeHtml(raw.trim())}</p>\n` : false;
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    // In a task list, the checkbox replaces the bullet.
    listitem({ task, tokens }) {
      return `<li${task ? ' class="task"' : ''}>${this.parser.parse(tokens)}</li>`;
    },
  },
});

/**
 * Maximum characters of a paragraph, heading, item or cell that is parsed for inline syntax; longer ones stay plain.
 * Marked's search for emphasis and links is quadratic: 30,000 characters of `a1_a1_…` would take seconds.
 */
const MAX_INLINE_CHARACTERS = 8000;

/** Maximum depth of nested emphasis and links. */
const MAX_INLINE_DEPTH = 20;

class BoundedLexer extends marked.Lexer {
  #inlineDepth = 0;

  constructor(options: MarkedOptions) {
    super(options);
    const { rules } = this.options.tokenizer!;
    this.options.tokenizer!.rules = { ...rules, inline: { ...rules.inline, ...EMPHASIS_RULES } };
  }

  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    if (text.length > MAX_INLINE_CHARACTERS || this.#inlineDepth > MAX_INLINE_DEPTH) {
      tokens.push(plainToken(text));
      return tokens;
    }
    this.#inlineDepth += 1;
    const found = super.inlineTokens(text, tokens);
    this.#inlineDepth -= 1;
    return found;
  }
}

function plainToken(text: string): Token {
  return { type: 'text', raw: text, text, escaped: false };
}

/**
 * Splits a text into its top-level blocks, without parsing inline syntax.
 * @param text Has LF line ends.
 * @param links Link definitions of earlier text.
 */
export function lexBlocks(text: string, links: Links = {}): TokensList {
  const lexer = new BoundedLexer(marked.defaults);
  Object.assign(lexer.tokens.links, links);
  lexer.blockTokens(text, lexer.tokens);
  return lexer.tokens;
}

/** Parses a text into blocks with their inline tokens. The parameters are those of {@link lexBlocks}. */
function lexMarkdown(text: string, links: Links = {}): TokensList {
  const lexer = new BoundedLexer(marked.defaults);
  Object.assign(lexer.tokens.links, links);
  return lexer.lex(text);
}

/**
 * Renders Markdown as HTML. It is not yet safe: {@link renderBlock} sanitises it.
 * @param levels The levels of the headings before it.
 */
export function markdownToHtml(text: string, links: Links, levels = new HeadingLevels()): string {
  const tokens = lexMarkdown(text, links);
  void marked.walkTokens(tokens, (token) => {
    if (token.type === 'heading') token['depth'] = levels.next(token['depth']);
  });
  return marked.parser(tokens);
}
