import type { ListLevel } from '../list-labels.ts';
import type { DocumentPackage } from '../open-package.ts';
import { attributeOf, walkMarkup } from '../walk-markup.ts';

type Levels = (ListLevel | undefined)[];

/** Reads the levels of the lists of a DOCX file by their ids. */
export function docxNumbering(source: DocumentPackage, part: string): ReadonlyMap<string, Levels> {
  const abstract = new Map<string, Levels>();
  /** For a list whose levels a style has, the id of the style; and the levels by such ids. */
  const links = new Map<Levels, string>();
  const linked = new Map<string, Levels>();
  const lists = new Map<string, Levels>();
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
        lists.set(attributeOf(attributes, 'numId'), levels);
      },
      numStyleLink: (attributes) => void links.set(levels, attributeOf(attributes, 'val')),
      styleLink: (attributes) => void linked.set(attributeOf(attributes, 'val'), levels),
      // Follows `num`. The copy may be changed by `lvlOverride`.
      abstractNumId: (attributes) => {
        const own = abstract.get(attributeOf(attributes, 'val')) ?? [];
        levels.push(...(linked.get(links.get(own) ?? '') ?? own));
      },
      lvl: startLevel('ilvl'),
      lvlOverride: startLevel('ilvl'),
      start: (attributes) => change({ start: Number(attributeOf(attributes, 'val')) || 0 }),
      startOverride: (attributes) => change({ start: Number(attributeOf(attributes, 'val')) || 0 }),
      numFmt: (attributes) => change({ format: attributeOf(attributes, 'val') }),
      lvlText: (attributes) => change({ pattern: attributeOf(attributes, 'val') }),
    },
  });
  return lists;
}
