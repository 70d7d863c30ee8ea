import type { ListLevel } from '../list-labels.ts';
import type { DocumentPackage } from '../open-package.ts';
import { isOn } from './docx-styles.ts';
import { attributeOf, walkMarkup } from '../walk-markup.ts';

type Levels = (ListLevel | undefined)[];

/** How the items of a list are numbered. */
interface DocxList {
  readonly levels: Levels;
  /** Identifies the count, which lists share that have the same definition: one of them goes on with that of another. */
  count: string;
  /** Levels that begin to count anew with the list's first item on them. They are removed then. */
  readonly restarts: Set<number>;
}

/** Reads the lists of a DOCX file by their ids. */
export function docxNumbering(source: DocumentPackage, part: string): ReadonlyMap<string, DocxList> {
  const abstract = new Map<string, Levels>();
  /** For a list whose levels a style has, the id of the style; and the levels by such ids. */
  const links = new Map<Levels, string>();
  const linked = new Map<string, Levels>();
  const lists = new Map<string, DocxList>();
  let list: DocxList | null = null;
  let levels: Levels = [];
  let index = 0;
  const change = (changes: Partial<ListLevel>): void => {
    levels[index] = { ...(levels[index] ?? { format: 'decimal', pattern: '', start: 1 }), ...changes };
  };
  const startLevel = (attribute: string) => (attributes: Readonly<Record<string, string>>) => {
    index = Math.min(Math.max(Number(attributeOf(attributes, attribute)) || 0, 0), 20);
  };
  walkMarkup(source.text(part) ?? '', {
    elements: {
      abstractNum: (attributes) => {
        levels = [];
        abstract.set(attributeOf(attributes, 'abstractNumId'), levels);
      },
      num: (attributes) => {
        levels = [];
        list = { levels, count: '', restarts: new Set() };
        lists.set(attributeOf(attributes, 'numId'), list);
      },
      numStyleLink: (attributes) => void links.set(levels, attributeOf(attributes, 'val')),
      styleLink: (attributes) => void linked.set(attributeOf(attributes, 'val'), levels),
      // Follows `num`. The copy may be changed by `lvlOverride`.
      abstractNumId: (attributes) => {
        const own = abstract.get(attributeOf(attributes, 'val')) ?? [];
        const link = links.get(own);
        levels.push(...(linked.get(link ?? '') ?? own));
        if (list !== null) list.count = link === undefined ? `id ${attributeOf(attributes, 'val')}` : `style ${link}`;
      },
      lvl: startLevel('ilvl'),
      lvlOverride: startLevel('ilvl'),
      start: (attributes) => change({ start: Number(attributeOf(attributes, 'val')) || 0 }),
      startOverride: (attributes) => {
        change({ start: Number(attributeOf(attributes, 'val')) || 0 });
        list?.restarts.add(index);
      },
      isLgl: (attributes) => change({ isInDigits: isOn(attributes) }),
      lvlRestart: (attributes) => change({ goesOn: attributeOf(attributes, 'val') === '0' }),
      numFmt: (attributes) => change({ format: attributeOf(attributes, 'val') }),
      lvlText: (attributes) => change({ pattern: attributeOf(attributes, 'val') }),
    },
  });
  return lists;
}
