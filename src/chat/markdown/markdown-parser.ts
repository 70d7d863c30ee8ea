import { Marked, type Links, type Token, type TokensList } from 'marked';
import { markdownStrings } from '../strings/messages.ts';
import { formulaSyntax } from './formula-syntax.ts';
import { HeadingLevels } from './heading-levels.ts';

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

/** The few tags that models use on purpose, mostly in tables. Other HTML is shown as text. */
const PLAIN_TAG = /^<\/?(?:br|b|i|u|s|em|strong|sub|sup|kbd|mark)\s*\/?>$/i;

const marked = new Marked(formulaSyntax(escapeHtml), {
  gfm: true,
  renderer: {
    html: ({ text }) => (PLAIN_TAG.test(text) ? text : escapeHtml(text)),
    // The page loads nothing from elsewhere, so an image becomes a link.
    image: ({ href, text }) =>
      `<a href="${escapeHtml(href)}">${escapeHtml(markdownStrings.image(text === '' ? href : text))}</a>`,
    heading({ tokens, depth }) {
      return `<h${depth}>${this.parser.parseInline(tokens)}</h${depth}>`;
    },
    code: ({ text, lang }) =>
      `<pre><code class="language-${escapeHtml(lang?.split(/\s/)[0] ?? '')}">${escapeHtml(text)}</code></pre>`,
    // An answer such as "42." would be an empty list item in Markdown; it is shown as text.
    list({ ordered, items: [first, ...more], raw }) {
      return ordered && more.length === 0 && first?.text === '' ? `<p>${escapeHtml(raw.trim())}</p>\n` : false;
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    // The checkbox of a task replaces the bullet.
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

class BoundedLexer extends marked.Lexer {
  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    if (text.length <= MAX_INLINE_CHARACTERS) return super.inlineTokens(text, tokens);
    tokens.push({ type: 'text', raw: text, text, escaped: false });
    return tokens;
  }
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
