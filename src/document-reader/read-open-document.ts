import { ListLabels } from './list-labels.ts';
import { openDocumentStyles, OUTLINE } from './open-document-styles.ts';
import { pathFrom, type DocumentPackage } from './open-package.ts';
import { RaisedText } from './raised-text.ts';
import { withoutSoftHyphens } from './soft-hyphens.ts';
import type { TextBuilder } from './text-builder.ts';
import { attributeOf, walkMarkup, type Attributes, type ElementRule } from './walk-markup.ts';
import { TableColumns } from './table-columns.ts';
import { UnreadableDocument } from './unreadable-document.ts';

/** Copies of a cell or row that are written if a file says that it is repeated. */
const MAX_COPIES = 100;

/**
 * Adds the text of an ODT, ODS or ODP file: headers, body and footers, then footnotes.
 * @throws UnreadableDocument `locked` if its content is encrypted.
 */
export function readOpenDocument(source: DocumentPackage, out: TextBuilder): void {
  if (isEncrypted(source)) throw new UnreadableDocument('locked');
  const styles = source.text('styles.xml') ?? '';
  const content = source.text('content.xml') ?? '';
  addMargins(styles, 'header', out);
  addOpenDocumentXml(content, styles, out, source);
  addMargins(styles, 'footer', out);
}

/** Whether the content is encrypted, alone or, since LibreOffice 24.8, together with all else. */
function isEncrypted(source: DocumentPackage): boolean {
  let path = '';
  const encrypted = new Set<string>();
  walkMarkup(source.text('META-INF/manifest.xml') ?? '', {
    elements: {
      'file-entry': (attributes) => void (path = attributeOf(attributes, 'full-path')),
      'encryption-data': () => void encrypted.add(path),
    },
  });
  return encrypted.has('content.xml') || encrypted.has('encrypted-package');
}

/** Attributes with the value of a cell, of which it has one. */
const VALUES = ['value', 'string-value', 'date-value', 'time-value', 'boolean-value'];

/** Adds the headers or footers of the pages, equal ones once. */
function addMargins(styles: string, kind: 'header' | 'footer', out: TextBuilder): void {
  const shown = new Set<string>();
  const margin: ElementRule = () => {
    out.startCapture();
    return () => {
      const text = out.endCapture();
      if (shown.has(text)) return;
      shown.add(text);
      out.paragraph();
      out.again(text);
      out.paragraph();
    };
  };
  let isInside = 0;
  const inside =
    (rule: ElementRule): ElementRule =>
    (attributes) => {
      isInside += 1;
      const end = rule(attributes);
      return () => {
        isInside -= 1;
        if (typeof end === 'function') end();
      };
    };
  const names =
    kind === 'header' ? ['header', 'header-first', 'header-left'] : ['footer', 'footer-first', 'footer-left'];
  walkMarkup(styles, {
    elements: {
      ...Object.fromEntries(names.map((name) => [name, inside(margin)])),
      p: () => {
        if (isInside === 0) return 'skip';
        out.line();
        return () => out.line();
      },
      s: () => (isInside > 0 ? out.text(' ') : undefined),
      tab: () => (isInside > 0 ? out.text('\t') : undefined),
      'automatic-styles': () => 'skip',
    },
    text: (value) => {
      if (isInside > 0) out.words(value);
    },
    isDone: () => out.isFull,
  });
}

/**
 * Adds the body of an OpenDocument file.
 * @param content The document's XML, of `content.xml` or of a flat file.
 * @param styles XML with further styles of lists.
 * @param source The package in which embedded objects are found. Default: none.
 */
export function addOpenDocumentXml(content: string, styles: string, out: TextBuilder, source?: DocumentPackage): void {
  const { lists, hidden, raised } = openDocumentStyles([styles, content]);
  const marks = new RaisedText();
  const labels = new ListLabels();
  const openLists: { readonly style: string; readonly id: string }[] = [];
  const notes: string[] = [];
  /** Identifies lists for {@link labels}: the last one of each style by `style NAME`, and those with an id by `id ID`. */
  const known = new Map<string, string>();
  let paragraphs = 0;
  let listCount = 0;
  let pendingLabel = '';
  let isHeading = false;
  let isBody = false;
  let isSpreadsheet = false;
  let hasCellText = false;
  /** The columns of each open table. */
  const columns: TableColumns[] = [];
  /** For each open frame, whether it has an object. */
  const frames: { hasObject: boolean }[] = [];

  const block =
    (prefix: (attributes: Attributes) => string): ElementRule =>
    (attributes) => {
      if (openLists.length > 0) out.line();
      else out.paragraph();
      paragraphs += 1;
      marks.restart();
      const before = prefix(attributes) + pendingLabel;
      pendingLabel = '';
      if (before !== '') out.text(before);
      return () => {
        paragraphs -= 1;
        out.line();
      };
    };
  const heading = block((attributes) => {
    const level = repeated(attributes, 'outline-level');
    const isNumbered = pendingLabel === '' && attributeOf(attributes, 'is-list-header') !== 'true';
    const outline = lists.get(OUTLINE) ?? [];
    const label = isNumbered ? labels.next(OUTLINE, level - 1, outline, startOf(attributes)) : '';
    return `${'#'.repeat(Math.min(level, 6))} ${label === '' ? '' : `${label} `}`;
  });
  const note: ElementRule = () => {
    const [outer, { raise }] = [paragraphs, marks];
    marks.raise = '';
    out.startCapture();
    return () => {
      paragraphs = outer;
      marks.raise = raise;
      notes.push(out.endCapture());
      out.words(` [${notes.length}]`);
    };
  };
  const unlessHidden =
    (rule: ElementRule): ElementRule =>
    (attributes) => {
      const isHidden =
        hidden.has(attributeOf(attributes, 'style-name')) || attributeOf(attributes, 'display') === 'none';
      if (!isHidden && !isCollapsed(attributes)) return rule(attributes);
      out.leave('hidden');
      return 'skip';
    };
  const row: ElementRule = (attributes) => {
    const copies = repeated(attributes, 'number-rows-repeated');
    columns.at(-1)?.startRow();
    out.startRow();
    return () => out.endRow(copies, isSpreadsheet);
  };
  const cell: ElementRule = (attributes) => {
    const hiddenCells = columns.at(-1)?.hiddenCells(columnCount(attributes)) ?? 0;
    if (hiddenCells === columnCount(attributes)) return 'skip';
    const copies = Math.min(repeated(attributes, 'number-columns-repeated'), columnCount(attributes) - hiddenCells);
    out.startCell();
    hasCellText = false;
    return () => {
      // Some programs write the value of a cell, but not its text. With a style, it may be one that shows nothing.
      if (!hasCellText && attributeOf(attributes, 'style-name') === '')
        out.text(VALUES.map((value) => attributeOf(attributes, value)).join(''));
      hasCellText = true;
      out.endCell(copies);
    };
  };
  const shownPage = unlessHidden((attributes) => {
    out.paragraph();
    const name = attributeOf(attributes, 'name');
    if (name !== '') out.text(`# ${name}`);
    out.paragraph();
  });
  const page: ElementRule = (attributes) => {
    if (shownPage(attributes) !== 'skip') return () => out.endPage();
    out.endPage();
    return 'skip';
  };
  const elements: Record<string, ElementRule> = {
    body: () => {
      isBody = true;
      return () => (isBody = false);
    },
    p: unlessHidden(block(() => '')),
    h: unlessHidden((attributes) => {
      const end = heading(attributes) as () => void;
      isHeading = true;
      return () => {
        isHeading = false;
        end();
      };
    }),
    list: (attributes) => {
      const outer = openLists.at(-1);
      const style = attributeOf(attributes, 'style-name') || (outer?.style ?? '');
      if (outer === undefined) out.paragraph();
      const target = attributeOf(attributes, 'continue-list');
      const continues = target !== '' || attributeOf(attributes, 'continue-numbering') === 'true';
      const former = continues ? (known.get(`id ${target}`) ?? known.get(`style ${style}`)) : undefined;
      const id = outer?.id ?? former ?? `${style} ${(listCount += 1)}`;
      const name = attributeOf(attributes, 'id');
      known.set(`style ${style}`, id);
      if (name !== '') known.set(`id ${name}`, id);
      openLists.push({ style, id });
      return () => {
        openLists.pop();
        if (openLists.length === 0) out.paragraph();
      };
    },
    'list-item': (attributes) => {
      const list = openLists.at(-1);
      if (list === undefined) return;
      const level = openLists.length - 1;
      const label = labels.next(list.id, level, lists.get(list.style) ?? [], startOf(attributes)) || '-';
      pendingLabel = `${'  '.repeat(Math.min(level, 8))}${label} `;
      return () => (pendingLabel = '');
    },
    s: (attributes) => {
      if (paragraphs > 0) out.text(' '.repeat(repeated(attributes, 'c')));
    },
    'ruby-text': () => {
      out.text('(');
      return () => out.text(')');
    },
    tab: () => {
      if (paragraphs > 0) out.text('\t');
    },
    // A heading is one line.
    'line-break': () => (isHeading ? out.words(' ') : out.line()),
    table: unlessHidden((attributes) => {
      out.paragraph();
      // Tables of a text have names, too, but only those of a spreadsheet are shown.
      const name = attributeOf(attributes, 'name');
      if (isSpreadsheet && name !== '') out.text(`# ${name}`);
      out.paragraph();
      columns.push(new TableColumns());
      return () => {
        columns.pop();
        out.paragraph();
      };
    }),
    'table-column': (attributes) => {
      const isHidden = isCollapsed(attributes);
      columns.at(-1)?.add(columnCount(attributes), isHidden);
      if (isHidden) out.leave('hidden');
    },
    section: unlessHidden(() => {}),
    span: unlessHidden((attributes) => {
      const { raise } = marks;
      marks.raise = raised.get(attributeOf(attributes, 'style-name')) ?? raise;
      return () => void (marks.raise = raise);
    }),
    'table-row': unlessHidden(row),
    'table-cell': cell,
    'covered-table-cell': cell,
    page,
    notes: () => {
      out.paragraph();
      return () => out.paragraph();
    },
    note,
    'note-citation': skip,
    annotation: note,
    // The author of a comment. The fields `text:creator`, `text:date`, `text:title` and `text:meta` are shown.
    'dc:creator': () => {
      paragraphs += 1;
      out.startCapture();
      return () => {
        paragraphs -= 1;
        pendingLabel = `${out.endCapture()}: `;
      };
    },
    'dc:date': skip,
    'meta:date-string': skip,
    'meta:creator-initials': skip,
    'loext:sender-initials': skip,
    frame: () => {
      // A picture beside an object shows the object to programs that cannot.
      frames.push({ hasObject: false });
      return () => frames.pop();
    },
    image: () => {
      if (frames.at(-1)?.hasObject !== true) out.leave('image');
      return 'skip';
    },
    object: (attributes) => {
      Object.assign(frames.at(-1) ?? {}, { hasObject: true });
      const path = pathFrom('', attributeOf(attributes, 'href'));
      const inner = source?.text(`${path}/content.xml`) ?? '';
      out.leave(/<office:chart\b/.test(inner) ? 'chart' : 'object');
      return 'skip';
    },
    'object-ole': () => out.leave('object'),
    plugin: () => out.leave('video'),
    desc: () => {
      paragraphs += 1;
      out.words(' [');
      return () => {
        paragraphs -= 1;
        out.text('] ');
      };
    },
    'svg:title': skip,
    'tracked-changes': skip,
    'hidden-text': skip,
    'hidden-paragraph': skip,
    'automatic-styles': skip,
    styles: skip,
    'master-styles': skip,
    'font-face-decls': skip,
    scripts: skip,
    settings: skip,
    'office:meta': skip,
    forms: skip,
    'binary-data': skip,
    'content-validations': skip,
    'calculation-settings': skip,
    spreadsheet: () => {
      isSpreadsheet = true;
    },
  };
  walkMarkup(content, {
    elements,
    text: (value) => {
      if (!isBody || paragraphs === 0) return;
      hasCellText = true;
      out.text(marks.before(value));
      out.words(withoutSoftHyphens(value));
    },
    isDone: () => out.isFull,
  });
  for (const [index, text] of notes.entries()) {
    out.line();
    out.again(`[${index + 1}] ${text.trim()}`);
  }
}

const skip: ElementRule = () => 'skip';

/** Returns a number of copies that an attribute states. */
function repeated(attributes: Attributes, name: string): number {
  return Math.min(Math.max(Number(attributeOf(attributes, name)) || 1, 1), MAX_COPIES);
}

/** The number with which an item begins to count anew; undefined for other items. */
function startOf(attributes: Attributes): number | undefined {
  const start = attributeOf(attributes, 'start-value');
  return start === '' ? undefined : Number(start) || 0;
}

/** The number of columns that an element is, or covers. Files repeat empty ones by the thousand. */
function columnCount(attributes: Attributes): number {
  return Math.max(1, Number(attributeOf(attributes, 'number-columns-repeated')) || 1);
}

/** Whether a row or column is hidden, by a person or by a filter. */
function isCollapsed(attributes: Attributes): boolean {
  return /collapse|filter/.test(attributeOf(attributes, 'visibility'));
}
