import { Marked, type Links, type TokensList } from 'marked';
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

/** The few tags that models write on purpose, in tables above all. Any other HTML is shown as it was written. */
const PLAIN_TAG = /^<\/?(?:br|b|i|u|s|em|strong|sub|sup|kbd|mark)\s*\/?>$/i;

const marked = new Marked(formulaSyntax(escapeHtml), {
  gfm: true,
  renderer: {
    html: ({ text }) => (PLAIN_TAG.test(text) ? text : escapeHtml(text)),
    // Nothing is loaded from elsewhere, so a picture is offered as a link to it.
    image: ({ href, text }) =>
      `<a href="${escapeHtml(href)}">${escapeHtml(markdownStrings.image(text === '' ? href : text))}</a>`,
    heading({ tokens, depth }) {
      return `<h${depth}>${this.parser.parseInline(tokens)}</h${depth}>`;
    },
    code: ({ text, lang }) =>
      `<pre><code class="language-${escapeHtml(lang?.split(/\s/)[0] ?? '')}">${escapeHtml(text)}</code></pre>`,
    // The answer to a sum, such as "42.", is no empty list.
    list({ ordered, items: [first, ...more], raw }) {
      return ordered && more.length === 0 && first?.text === '' ? `<p>${escapeHtml(raw.trim())}</p>\n` : false;
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    // Its box is bullet enough.
    listitem({ task, tokens }) {
      return `<li${task ? ' class="task"' : ''}>${this.parser.parse(tokens)}</li>`;
    },
  },
});

/** Block tokens of a text whose lines end in line feeds. @param links Link definitions made earlier. */
export function lexMarkdown(text: string, links: Links = {}): TokensList {
  const lexer = new marked.Lexer(marked.defaults);
  Object.assign(lexer.tokens.links, links);
  return lexer.lex(text);
}

/**
 * HTML of a piece of Markdown. Not yet safe to show: {@link renderBlock} makes it so.
 * @param levels Those of the headings before it.
 */
export function markdownToHtml(text: string, links: Links, levels = new HeadingLevels()): string {
  const tokens = lexMarkdown(text, links);
  void marked.walkTokens(tokens, (token) => {
    if (token.type === 'heading') token['depth'] = levels.next(token['depth']);
  });
  return marked.parser(tokens);
}
