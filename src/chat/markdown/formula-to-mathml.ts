import DOMPurify from 'dompurify';
import temml from 'temml';

/** The elements that temml 0.13 writes: MathML Core, and `menclose`. */
const ALLOWED_TAGS = (
  'math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts ' +
  'mprescripts none mtable mtr mtd mstyle mpadded mphantom menclose'
).split(' ');

const ALLOWED_ATTR = (
  'display displaystyle scriptlevel mathvariant stretchy fence form separator lspace rspace minsize maxsize symmetric ' +
  'largeop movablelimits accent accentunder linethickness width height depth voffset columnspan rowspan notation'
).split(' ');

/** Inline styles that become classes of the same name, styled in formula-styles. */
const STYLES = ['border', 'border-top', 'border-bottom', 'border-left', 'border-right', 'font-weight'] as const;

/** Maximum depth of nesting. Browsers lay out inner levels repeatedly, so that a deep formula would block the page. */
const DEEPEST = 24;
const MAX_ELEMENTS = 3000;
/**
 * Matches formulas that define macros. They are not rendered, because a few lines of macros can expand to unbounded
 * text.
 */
const DEFINITION =
  /\\(?:[egx]?def|(?:future)?let|global|(?:re|provide)?newcommand|(?:re)?newenvironment|DeclareMathOperator)(?![a-z])/i;

/**
 * Cache of rendered formulas, because a growing block is rendered again after each word. Null if a formula cannot be
 * rendered.
 */
const drawn = new Map<string, Element | null>();
const MAX_KEPT = 200;

/**
 * Converts a formula to safe MathML: only allowed elements and attributes, nothing that loads or links, and no size
 * beyond that of a heading.
 * @param source TeX with its delimiters.
 * @returns null if the source is not valid TeX or exceeds the limits.
 */
export function formulaToMathMl(source: string, display: boolean): Element | null {
  const key = `${display}${source}`;
  let math = drawn.get(key);
  if (math === undefined) {
    math = toMathMl(source.replace(/^(?:\$\$?|\\[([])|(?:\$\$?|\\[)\]])$/g, ''), display);
    drawn.set(key, math);
    if (drawn.size > MAX_KEPT) drawn.delete(drawn.keys().next().value!);
  }
  return (math?.cloneNode(true) ?? null) as Element | null;
}

function toMathMl(tex: string, displayMode: boolean): Element | null {
  const markup = mathMlMarkup(tex, displayMode);
  if (markup === null) return null;
  const fragment = DOMPurify.sanitize(markup, {
    ALLOWED_TAGS,
    ALLOWED_ATTR: [...ALLOWED_ATTR, 'class', 'style'],
    ADD_URI_SAFE_ATTR: ALLOWED_ATTR,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const element of fragment.querySelectorAll<MathMLElement>('[style]')) {
    const set = STYLES.filter((style) => element.style.getPropertyValue(style) !== '');
    element.removeAttribute('style');
    element.classList.add(...set.map((style) => `has-${style}`));
  }
  return fragment.firstElementChild;
}

/** Returns the unsanitised markup of a formula; null if temml rejects it. */
export function mathMlMarkup(tex: string, displayMode: boolean): string | null {
  if (DEFINITION.test(tex)) return null;
  try {
    const markup = temml.renderToString(tex, { displayMode, throwOnError: true, trust: false, maxSize: [10, 100] });
    return isModest(markup) ? markup : null;
  } catch {
    // The TeX is invalid, or temml does not support it.
    return null;
  }
}

function isModest(markup: string): boolean {
  let depth = 0;
  let elements = 0;
  for (const [tag] of markup.matchAll(/<\/?\w/g)) {
    depth += tag.startsWith('</') ? -1 : 1;
    elements += 1;
    if (depth > DEEPEST || elements > 2 * MAX_ELEMENTS) return false;
  }
  return true;
}
