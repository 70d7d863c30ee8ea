import type { Token } from 'marked';

/** Matches the few tags that models write intentionally, mostly in tables. Other HTML is shown as text. */
const PLAIN_TAG = /^<(\/?)(br|b|i|u|s|em|strong|sub|sup|kbd|mark)\s*(\/?)>$/i;

/** Whether a text is a tag that marks text. */
export function isPlainTag(text: string): boolean {
  return PLAIN_TAG.test(text);
}

/**
 * Turns tags without their other half into text: in `Option<i>` they are part of a name, and would change all that
 * follows.
 * @param tokens The inline tokens of a paragraph, a cell or the like.
 * @param isWhole Whether no text follows. Before, an opening tag waits for its other half.
 */
export function keepOnlyPairs(tokens: Token[], isWhole: boolean): void {
  const open: { readonly name: string; readonly at: number }[] = [];
  const single: number[] = [];
  for (const [at, token] of tokens.entries()) {
    const [, slash = '', tag = '', isEmpty = ''] = token.type === 'html' ? (PLAIN_TAG.exec(token.raw) ?? []) : [];
    const name = tag.toLowerCase();
    if (name === '' || name === 'br') continue;
    const opening = slash === '' ? -1 : open.findLastIndex((other) => other.name === name);
    if (opening >= 0)
      single.push(
        ...open
          .splice(opening)
          .slice(1)
          .map((other) => other.at),
      );
    else if (slash === '' && isEmpty === '') open.push({ name, at });
    else single.push(at);
  }
  if (isWhole) single.push(...open.map(({ at }) => at));
  for (const at of single) {
    const { raw } = tokens[at]!;
    tokens[at] = { type: 'text', raw, text: raw, escaped: false };
  }
}
