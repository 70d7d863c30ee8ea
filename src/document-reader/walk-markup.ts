import { Parser } from 'htmlparser2';
import { UnreadableDocument } from './unreadable-document.ts';

/** Elements nested deeper than this are not read. Real documents have some dozens, careless HTML some hundreds. */
const MAX_DEPTH = 3000;

/** Characters that are parsed between two looks at {@link MarkupHandlers.isDone}. */
const PIECE = 16_384;

export type Attributes = Readonly<Record<string, string>>;

/**
 * Called for the start tag of an element. Returns what to do at its end tag, or `skip` to read nothing inside of the
 * element.
 */
export type ElementRule = (attributes: Attributes) => (() => void) | 'skip' | void;

export interface MarkupHandlers {
  /**
   * Rules by the name of the element without namespace prefix. A rule for a name with a prefix, such as `dc:date`, has
   * precedence; `*` is the rule for elements without one. Default: they are transparent.
   */
  readonly elements: Readonly<Record<string, ElementRule>>;
  readonly text?: (value: string) => void;
  /** Parsing ends early when this is true. */
  readonly isDone?: () => boolean;
  /** Default: the markup is XML. */
  readonly isHtml?: boolean;
}

/**
 * Reads XML or HTML from its beginning to its end. Faulty markup is read like a browser reads HTML: as well as possible.
 * Entities that a document declares itself are not expanded.
 * @throws UnreadableDocument `tooComplex` if elements are nested too deeply.
 */
export function walkMarkup(source: string, { elements, text, isDone, isHtml = false }: MarkupHandlers): void {
  const endings: ((() => void) | undefined)[] = [];
  let skipped = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (skipped > 0) {
          skipped += 1;
          return;
        }
        if (endings.length > MAX_DEPTH) throw new UnreadableDocument('tooComplex');
        const rule = [name, name.slice(name.indexOf(':') + 1), '*'].find((key) => Object.hasOwn(elements, key));
        const opened = rule === undefined ? undefined : elements[rule]!(attributes);
        if (opened === 'skip') skipped = 1;
        else endings.push(opened ?? undefined);
      },
      onclosetag() {
        if (skipped > 1) skipped -= 1;
        else if (skipped === 1) skipped = 0;
        else endings.pop()?.();
      },
      ontext(value) {
        if (skipped === 0) text?.(value);
      },
    },
    { xmlMode: !isHtml, decodeEntities: true, recognizeSelfClosing: true, recognizeCDATA: true },
  );
  for (let at = 0; at < source.length; at += PIECE) {
    if (isDone?.() === true) break;
    parser.write(source.slice(at, at + PIECE));
  }
  parser.end();
}

/** Returns an attribute by its name without prefix; empty if it is missing. One with a prefix has precedence. */
export function attributeOf(attributes: Attributes, local: string): string {
  const name = Object.keys(attributes).find((key) => key.endsWith(`:${local}`)) ?? local;
  return attributes[name] ?? '';
}
