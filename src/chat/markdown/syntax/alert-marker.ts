import type { Token } from 'marked';

const MARKER = /^\[!([a-z]+)\][+-]?[ \t]*(?:\n|$)?/i;

/** The kinds of alerts that GitHub knows. */
const KINDS = ['note', 'tip', 'important', 'warning', 'caution'] as const;
type AlertKind = (typeof KINDS)[number];

/** Further names that Obsidian knows, by the kind that they look like. */
const OTHER_NAMES: Readonly<Partial<Record<AlertKind, readonly string[]>>> = {
  note: ['abstract', 'summary', 'tldr', 'info', 'todo', 'question', 'help', 'faq', 'example', 'quote', 'cite'],
  tip: ['hint', 'success', 'check', 'done'],
  warning: ['attention'],
  caution: ['failure', 'fail', 'missing', 'danger', 'error', 'bug'],
};

interface Alert {
  readonly kind: AlertKind;
  /** Its title, if it is not the kind. */
  readonly name?: string;
  /** Its blocks without the marker. */
  readonly tokens: Token[];
}

/**
 * Takes the marker of an alert, such as `[!NOTE]`, off the beginning of a quotation's first paragraph.
 * @param tokens The quotation's blocks with their inline tokens.
 * @returns undefined if the quotation is no alert.
 */
export function takeAlertMarker(tokens: readonly Token[]): Alert | undefined {
  const [first, ...others] = tokens;
  if (first?.type !== 'paragraph') return;
  const [start, ...inline] = first.tokens ?? [];
  const found = start?.type === 'text' ? MARKER.exec(start.raw) : null;
  if (start === undefined || found === null) return;
  const word = found[1]!.toLowerCase();
  const kind = KINDS.find((one) => one === word || OTHER_NAMES[one]?.includes(word));
  if (kind === undefined) return;
  const raw = start.raw.slice(found[0].length);
  const rest: Token[] = raw === '' ? inline : [{ type: 'text', raw, text: raw, escaped: false }, ...inline];
  return {
    kind,
    ...(kind !== word && { name: word.replace(/^./, (letter) => letter.toUpperCase()) }),
    tokens: rest.length === 0 ? others : [{ ...first, tokens: rest }, ...others],
  };
}
