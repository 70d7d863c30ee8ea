import { Tokenizer, type Links, type MarkedExtension, type Token, type Tokens } from 'marked';
import { usedLinks } from './bounded-lexer.ts';

/**
 * Matches what a definition may point to. Markdown takes any word for an address, so that a line such as `[User]: Hi`
 * would be a definition, and nobody would see it.
 */
const ADDRESS = /^(?:[a-z][a-z\d+.-]+:|\.{0,2}\/|[#?]|[^\s/]+\.[a-z]{2})/i;

/** Returns the definitions in a block, also those in its lists and quotations. */
export function definitionsIn(block: Token): readonly Definition[] {
  if (block.type === 'definition') return [block as Definition];
  const { tokens = [], items = [] } = block as {
    readonly tokens?: readonly Token[];
    readonly items?: readonly Token[];
  };
  return [...tokens, ...items].flatMap(definitionsIn);
}

/** Matches an address that the page opens. */
const OPENED = /^(?:https?|mailto):/i;

export interface Definition extends Tokens.Generic {
  readonly tag: string;
  readonly href: string;
  /** Whether another definition of the same name came first, so that no link leads here. */
  readonly isRepeated: boolean;
  /** Whether a link before it leads to its address. */
  isUsed: boolean;
}

/**
 * Replaces Marked's definitions of links, `[name]: https://example.org`. A definition is shown as text unless a link
 * before it leads to its address: a person must see each word of an answer. What has been shown of a growing answer
 * stays, also if a link follows.
 * @param escapeHtml Escapes text for HTML.
 */
export function linkDefinitionSyntax(escapeHtml: (text: string) => string): MarkedExtension {
  return {
    tokenizer: {
      def: () => undefined,
      reflink(text, links) {
        const used = usedLinks(this);
        const watched = new Proxy(links as Links, {
          get(all, name: string) {
            if (all[name] !== undefined) used.add(name);
            return all[name];
          },
        });
        return Tokenizer.prototype.reflink.call(this, text, watched);
      },
    },
    extensions: [
      {
        name: 'definition',
        level: 'block',
        tokenizer(text, before): Definition | undefined {
          // A definition cannot interrupt a paragraph.
          if (['paragraph', 'text'].includes(before.at(-1)?.type ?? '')) return;
          const found = Tokenizer.prototype.def.call(this.lexer.options.tokenizer!, text);
          if (found === undefined || !(ADDRESS.test(found.href) || found.raw.includes('<'))) return;
          const { raw, tag, href, title } = found;
          const first = (this.lexer.tokens.links[tag] ??= { href, title });
          const isRepeated = first.href !== href;
          const definition: Definition = { type: 'definition', raw, tag, href, title, isRepeated, isUsed: false };
          const used = usedLinks(this);
          // Marked reads links after blocks, in their order: this is between those before and those after.
          this.lexer.inlineQueue.push({
            src: '',
            get tokens() {
              definition.isUsed = used.has(tag);
              return [];
            },
          });
          return definition;
        },
        renderer(token) {
          const { raw, href, isRepeated, isUsed } = token as Definition;
          if (isUsed && !isRepeated) return '';
          const text = raw.trim();
          const at = OPENED.test(href) ? text.indexOf(href) : -1;
          if (at < 0) return `<p>${escapeHtml(text)}</p>\n`;
          const link = `<a href="${escapeHtml(href)}">${escapeHtml(href)}</a>`;
          return `<p>${escapeHtml(text.slice(0, at))}${link}${escapeHtml(text.slice(at + href.length))}</p>\n`;
        },
      },
    ],
  };
}
