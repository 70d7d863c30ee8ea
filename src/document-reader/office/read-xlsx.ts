import { addTexts } from './add-texts.ts';
import { builtInFormat, formatCell } from './format-cell.ts';
import { mainPartOf, relationsOf } from './office-relations.ts';
import type { DocumentPackage } from '../open-package.ts';
import { RaisedText } from '../raised-text.ts';
import type { TextBuilder } from '../text-builder.ts';
import { unescaped } from './unescaped.ts';
import { attributeOf, walkMarkup } from '../walk-markup.ts';

/** Number of the last column, `XFD`. */
const LAST_COLUMN = 16_384;

/** Maximum characters of a number format that are read: more than Excel accepts. */
const LONGEST_FORMAT = 500;

/** Empty cells that are written to keep a cell in its column. Further right, cells follow each other. */
const MAX_GAP = 30;

interface Workbook {
  readonly sheets: { readonly name: string; readonly id: string; readonly isHidden: boolean }[];
  isFrom1904: boolean;
}

/**
 * Adds the sheets of an Excel workbook row by row, with values as the cells show them. Hidden sheets, rows and columns
 * are left out. A formula without a stored result is written as a formula.
 */
export function readXlsx(source: DocumentPackage, out: TextBuilder): void {
  const main = mainPartOf(source, 'xl/workbook.xml');
  const relations = relationsOf(source, main);
  const partOf = (type: string): string => relations.find((relation) => relation.type === type)?.target ?? '';
  const workbook = readWorkbook(source.text(main) ?? '');
  const formats = cellFormats(source.text(partOf('styles')) ?? '');
  const strings = sharedStrings(source.text(partOf('sharedStrings')) ?? '');
  for (const { name, id, isHidden } of workbook.sheets) {
    if (out.isFull) return;
    const part = relations.find((relation) => relation.id === id);
    if (part === undefined) continue;
    if (isHidden) {
      out.leave('hidden');
      continue;
    }
    out.paragraph();
    out.text(`# ${name}`);
    out.paragraph();
    if (part.type === 'chartsheet') out.leave('chart');
    else addSheet(source.text(part.target) ?? '', { formats, strings, isFrom1904: workbook.isFrom1904 }, out);
    addBesideCells(source, part.target, out);
  }
}

function readWorkbook(xml: string): Workbook {
  const workbook: Workbook = { sheets: [], isFrom1904: false };
  walkMarkup(xml, {
    elements: {
      workbookPr: (attributes) => {
        workbook.isFrom1904 = /^(?:1|true)$/.test(attributeOf(attributes, 'date1904'));
      },
      sheet: (attributes) => {
        const isHidden = /hidden/i.test(attributeOf(attributes, 'state'));
        workbook.sheets.push({ name: attributeOf(attributes, 'name'), id: attributeOf(attributes, 'id'), isHidden });
      },
    },
  });
  return workbook;
}

/** Returns the number format of each cell style. */
function cellFormats(xml: string): readonly string[] {
  const custom = new Map<number, string>();
  const formats: string[] = [];
  let isCellStyles = false;
  walkMarkup(xml, {
    elements: {
      numFmt: (attributes) => {
        custom.set(
          Number(attributeOf(attributes, 'numFmtId')),
          attributeOf(attributes, 'formatCode').slice(0, LONGEST_FORMAT),
        );
      },
      cellXfs: () => {
        isCellStyles = true;
        return () => (isCellStyles = false);
      },
      xf: (attributes) => {
        const id = Number(attributeOf(attributes, 'numFmtId'));
        if (isCellStyles) formats.push(custom.get(id) ?? builtInFormat(id));
      },
    },
  });
  return formats;
}

function sharedStrings(xml: string): readonly string[] {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  const marks = new RaisedText();
  walkMarkup(xml, {
    elements: {
      si: () => {
        text = '';
        marks.restart();
        return () => strings.push(unescaped(text));
      },
      r: () => {
        marks.raise = '';
        return () => (marks.raise = '');
      },
      vertAlign: (attributes) => {
        const align = attributeOf(attributes, 'val');
        marks.raise = align === 'superscript' ? '^' : align === 'subscript' ? '_' : '';
      },
      // How East Asian words are pronounced.
      rPh: () => 'skip',
      t: () => {
        isText = true;
        return () => (isText = false);
      },
    },
    text: (value) => {
      if (isText) text += marks.before(value) + value;
    },
  });
  return strings;
}

interface CellContext {
  readonly formats: readonly string[];
  readonly strings: readonly string[];
  readonly isFrom1904: boolean;
}

function addSheet(xml: string, context: CellContext, out: TextBuilder): void {
  /** For each column, whether it is hidden. */
  const hidden = new Uint8Array(LAST_COLUMN + 1);
  let lastRow = 0;
  let column = 0;
  let cell = { type: '', style: 0, value: '', formula: '' };
  let part: 'value' | 'formula' | null = null;
  const inPart = (name: 'value' | 'formula') => () => {
    part = name;
    return () => void (part = null);
  };
  walkMarkup(xml, {
    elements: {
      col: (attributes) => {
        if (!/^(?:1|true)$/.test(attributeOf(attributes, 'hidden'))) return;
        const [from, to] = [Number(attributeOf(attributes, 'min')), Number(attributeOf(attributes, 'max'))];
        hidden.fill(1, Math.max(from, 0), Math.max(to, 0) + 1);
        out.leave('hidden');
      },
      row: (attributes) => {
        const row = Number(attributeOf(attributes, 'r')) || lastRow + 1;
        // Empty rows, which the file may leave out, separate tables.
        if (row > lastRow + 1) out.paragraph();
        lastRow = row;
        if (/^(?:1|true)$/.test(attributeOf(attributes, 'hidden'))) {
          out.leave('hidden');
          return 'skip';
        }
        column = 0;
        out.startRow();
        return () => out.endRow(1, true);
      },
      c: (attributes) => {
        const before = column;
        column = columnOf(attributeOf(attributes, 'r')) ?? column + 1;
        const type = attributeOf(attributes, 't');
        cell = { type, style: Number(attributeOf(attributes, 's')) || 0, value: '', formula: '' };
        return () => {
          if (hidden[column] === 1) return;
          for (let gap = before + 1; gap < Math.min(column, before + MAX_GAP); gap += 1) {
            if (hidden[gap] !== 1) out.emptyCells(1);
          }
          out.startCell();
          if (hasNoResult(cell)) out.leave('formula');
          out.text(shownValue(cell, context));
          out.endCell();
        };
      },
      v: inPart('value'),
      t: inPart('value'),
      f: inPart('formula'),
      rPh: () => 'skip',
      headerFooter: () => 'skip',
      dataValidations: () => 'skip',
      conditionalFormatting: () => 'skip',
      extLst: () => 'skip',
    },
    text: (value) => {
      if (part !== null) cell[part] += value;
    },
    isDone: () => out.isFull,
  });
}

/** Returns the number of a cell's column from 1; undefined if its address is missing. */
function columnOf(address: string): number | undefined {
  const letters = /^[A-Z]{1,3}/i.exec(address)?.[0].toUpperCase();
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

interface Cell {
  readonly type: string;
  readonly style: number;
  readonly value: string;
  readonly formula: string;
}

/** Whether a cell has a formula that no program calculated. An empty text as its result has the type `str`. */
function hasNoResult({ type, value, formula }: Cell): boolean {
  return value === '' && formula !== '' && type !== 'str';
}

function shownValue(cell: Cell, { formats, strings, isFrom1904 }: CellContext): string {
  const { type, style, value } = cell;
  if (hasNoResult(cell)) return `=${cell.formula}`;
  if (value === '') return '';
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  const number = Number(value);
  if (['str', 'inlineStr', 'e', 'd'].includes(type) || Number.isNaN(number)) return unescaped(value);
  return formatCell(number, formats[style] ?? 'General', isFrom1904);
}

/** Adds text boxes and comments of a sheet, and counts its charts and pictures. */
function addBesideCells(source: DocumentPackage, sheet: string, out: TextBuilder): void {
  for (const { type, target } of relationsOf(source, sheet)) {
    if (type === 'comments') {
      out.paragraph();
      addTexts(source, target, out, (attributes) => `${attributeOf(attributes, 'ref')}: `);
    }
    if (type !== 'drawing') continue;
    out.paragraph();
    addTexts(source, target, out);
    for (const other of relationsOf(source, target)) {
      if (/^chart/i.test(other.type)) out.leave('chart');
      if (other.type === 'image') out.leave('image');
    }
  }
}
