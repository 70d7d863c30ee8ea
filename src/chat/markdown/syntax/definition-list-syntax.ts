import type { MarkedExtension, Token, Tokens } from 'marked';

/** Matches a term with its definitions: a line of text and, directly below it, lines that begin with `: `. */
const ENTRY =
  /^ {0,3}(?![ \t:#>|<]|[*+-][ \t]|`{3}|~{3}|\d+[.)] |\[\^)([^\n]+)\n((?: {0,3}:[ \t]+\S[^\n]*(?:\n|$)(?:(?: {2,}|\t)\S[^\n]*(?:\n|$))*)+)/;

interface Entry extends Tokens.Generic {
  readonly term: Token[];
  readonly definitions: readonly Token[][];
}

/**
 * Extends Marked by definition lists as PHP Markdown Extra and Pandoc write them: a term, and definitions that begin
 * with `: `. Each term is a list of its own, and no empty line is allowed in it, so that the start of the next block
 * never depends on text still to come.
 */
export function definitionListSyntax(): MarkedExtension {
  return {
    extensions: [
      {
        name: 'definitionList',
        level: 'block',
        tokenizer(text): Entry | undefined {
          const [raw = '', term = '', definitions = ''] = ENTRY.exec(text) ?? [];
          if (raw === '') return;
          return {
            type: 'definitionList',
            raw,
            term: this.lexer.inline(term.trim(), []),
            definitions: definitions
              .split(/^ {0,3}:[ \t]+/m)
              .slice(1)
              .map((definition) => this.lexer.inline(definition.replace(/\n[ \t]+/g, '\n').trim(), [])),
          };
        },
        renderer(token) {
          const { term, definitions } = token as Entry;
          const described = definitions.map((tokens) => `<dd>${this.parser.parseInline(tokens)}</dd>`);
          return `<dl><dt>${this.parser.parseInline(term)}</dt>${described.join('')}</dl>\n`;
        },
      },
    ],
  };
}
