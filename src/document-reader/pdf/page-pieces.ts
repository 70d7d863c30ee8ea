import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A piece of text on a page. Lengths are in points; y grows downwards. */
export interface Piece {
  readonly text: string;
  readonly x: number;
  /** The base line. */
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isRightToLeft: boolean;
  /** Whether white space precedes it in the file. */
  readonly hasSpace: boolean;
}

/** What a page shows. */
export interface PageContent {
  readonly pieces: readonly Piece[];
  /** Text that is not upright, such as vertical writing, in the order of the file. */
  readonly turned: string;
  /** Comments, each with its author. */
  readonly comments: readonly string[];
  readonly height: number;
}

/** Points of the text in a form's field; the real size is not known. */
const FIELD_SIZE = 10;

/** What pdf.js reports of an annotation, as far as it is read. All of it comes from the file. */
interface Annotation {
  readonly subtype?: unknown;
  readonly rect?: unknown;
  readonly hidden?: unknown;
  readonly noView?: unknown;
  readonly fieldType?: unknown;
  readonly fieldValue?: unknown;
  readonly exportValue?: unknown;
  readonly buttonValue?: unknown;
  readonly checkBox?: unknown;
  readonly radioButton?: unknown;
  readonly password?: unknown;
  readonly options?: unknown;
  readonly contentsObj?: { readonly str?: unknown };
  readonly titleObj?: { readonly str?: unknown };
}

type Matrix = readonly number[];

/** Returns the text of a page, the values of its form, and its comments. */
export async function pageContent(page: PDFPageProxy): Promise<PageContent> {
  const { items } = await page.getTextContent();
  const annotations = (await page.getAnnotations()) as readonly Annotation[];
  const view = page.getViewport({ scale: 1 });
  const pieces: Piece[] = [];
  let turned = '';
  let hasSpace = false;
  for (const item of items) {
    if (!('str' in item)) continue;
    const isBlank = item.str.trim() === '';
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = product(view.transform as Matrix, item.transform as Matrix);
    const isUpright = Math.abs(b) <= 0.05 * Math.abs(a) && a > 0 && item.dir !== 'ttb';
    if (!isUpright) turned += item.str + (item.hasEOL ? '\n' : '');
    else if (!isBlank) {
      pieces.push({
        text: item.str,
        x,
        y,
        width: item.width,
        height: Math.hypot(c, d) || item.height || FIELD_SIZE,
        isRightToLeft: item.dir === 'rtl',
        hasSpace,
      });
    }
    if (item.str !== '') hasSpace = /\s$/.test(item.str);
  }
  const comments: string[] = [];
  const printed = [...pieces];
  for (const annotation of annotations) {
    if (annotation.hidden === true || annotation.noView === true) continue;
    if (annotation.subtype === 'Widget')
      pieces.push(...besideLabels(placed(fieldText(annotation), annotation, view.transform as Matrix), printed));
    else if (annotation.subtype !== 'Popup' && annotation.subtype !== 'Link') {
      const text = wordsOf(annotation.contentsObj?.str);
      if (text === '') continue;
      const author = wordsOf(annotation.titleObj?.str);
      if (annotation.subtype === 'FreeText') pieces.push(...placed(text, annotation, view.transform as Matrix));
      else comments.push(author === '' ? text : `${author}: ${text}`);
    }
  }
  return { pieces, turned, comments, height: view.height };
}

/** Returns what a field of a form shows; empty for buttons and passwords. */
function fieldText({ fieldType, fieldValue, exportValue, buttonValue, options, ...field }: Annotation): string {
  if (field.password === true) return '';
  if (fieldType === 'Btn') {
    if (field.checkBox === true) return fieldValue === exportValue && fieldValue !== 'Off' ? '[x]' : '[ ]';
    if (field.radioButton === true) return fieldValue !== null && fieldValue === buttonValue ? '[x]' : '[ ]';
    return '';
  }
  if (fieldType === 'Ch') {
    const shown = new Map<unknown, unknown>();
    for (const option of Array.isArray(options) ? (options as unknown[]) : []) {
      const { exportValue: value, displayValue } = (option ?? {}) as { exportValue?: unknown; displayValue?: unknown };
      shown.set(value, displayValue);
    }
    const chosen: readonly unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
    return chosen.map((value) => wordsOf(shown.get(value) ?? value)).join(', ');
  }
  return fieldType === 'Tx' ? wordsOf(fieldValue) : '';
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** Places the lines of a text into the rectangle of an annotation. */
function placed(text: string, { rect }: Annotation, view: Matrix): readonly Piece[] {
  if (text === '' || !Array.isArray(rect)) return [];
  const [left = 0, bottom = 0, right = 0, top = 0] = rect.map(Number);
  const lines = text.split(/\r\n?|\n/);
  const [, , , , x = 0, middle = 0] = product(view, [1, 0, 0, 1, left, (bottom + top) / 2]);
  const first = middle + 0.35 * FIELD_SIZE - ((lines.length - 1) * 1.2 * FIELD_SIZE) / 2;
  return lines.map((line, index) => ({
    text: line,
    x,
    y: first + index * 1.2 * FIELD_SIZE,
    width: Math.min(Math.max(right - left, 1), line.length * 0.5 * FIELD_SIZE),
    height: FIELD_SIZE,
    isRightToLeft: false,
    hasSpace: true,
  }));
}

/** Moves the text of a field to the base line of the nearest text at its height, which is its label. */
function besideLabels(field: readonly Piece[], printed: readonly Piece[]): readonly Piece[] {
  const [line, ...more] = field;
  if (line === undefined || more.length > 0) return field;
  const distance = ({ y }: Piece): number => Math.abs(y - line.y);
  const near = printed.filter((piece) => distance(piece) < FIELD_SIZE).toSorted((a, b) => distance(a) - distance(b));
  return [{ ...line, y: near[0]?.y ?? line.y }];
}

/** Multiplies two affine transformations. */
function product(one: Matrix, other: Matrix): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = one;
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = other;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
