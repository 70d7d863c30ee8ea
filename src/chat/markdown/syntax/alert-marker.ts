import type { Token } from 'marked';

const MARKER = /^\[!(note|tip|important|warning|caution)\][+-]?[ \t]*(?:\n|$)?/i;

/** The kinds of alerts that GitHub knows. */
export type AlertKind = 'note' | 'tip' | 'important' | 'warning' | 'caution';

/**
 * Takes the marker of an alert, such as `[!NOTE]`, off the beginning of a quotation's first paragraph.
 * @param tokens The quotation's blocks with their inline tokens.
 * @returns The alert's kind and the blocks without the marker; undefined if the quotation is no alert.
 */
export function takeAlertMarker(
  tokens: readonly Token[],
): { readonly kind: AlertKind; readonly tokens: Token[] } | undefined {
  const [first, ...others] = tokens;
  if (first?.type !== 'paragraph') return;
  const [start, ...inline] = first.tokens ?? [];
  const found = start?.type === 'text' ? MARKER.exec(start.raw) : null;
  if (start === undefined || found === null) return;
  const raw = start.raw.slice(found[0].length);
  const rest: Token[] = raw === '' ? inline : [{ type: 'text', raw, text: raw, escaped: false }, ...inline];
  return {
    kind: found[1]!.toLowerCase() as AlertKind,
    tokens: rest.length === 0 ? others : [{ ...first, tokens: rest }, ...others],
  };
}
