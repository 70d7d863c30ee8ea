import type { ListLevel } from './list-labels.ts';
import type { Raise } from './raised-text.ts';
import { attributeOf, walkMarkup, type Attributes } from './walk-markup.ts';

const FORMATS: Readonly<Record<string, string>> = {
  '1': 'decimal',
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
  '': 'none',
  // Others are named by their first signs, as `一, 二, 三, ...`.
  一: 'chineseCountingThousand',
  甲: 'ideographTraditional',
  子: 'ideographZodiac',
  '①': 'decimalEnclosedCircle',
  ア: 'aiueo',
  イ: 'iroha',
  가: 'ganada',
  ㄱ: 'chosung',
  а: 'russianLower',
  А: 'russianUpper',
};

/** The name under which {@link OpenDocumentStyles.lists} has the levels of numbered headings. */
export const OUTLINE = 'Outline';

interface OpenDocumentStyles {
  /** The levels of lists by the names of their styles. */
  readonly lists: ReadonlyMap<string, readonly (ListLevel | undefined)[]>;
  /** Names of the styles of sheets, slides and texts that are not shown. */
  readonly hidden: ReadonlySet<string>;
  /** The marks of styles of superscript and subscript text. */
  readonly raised: ReadonlyMap<string, Raise>;
}

/**
 * Reads what the styles of an OpenDocument file mean for its text.
 * @param sources The XML files with styles.
 */
export function openDocumentStyles(sources: readonly string[]): OpenDocumentStyles {
  const lists = new Map<string, (ListLevel | undefined)[]>();
  const hidden = new Set<string>();
  const raised = new Map<string, Raise>();
  let levels: (ListLevel | undefined)[] = [];
  let style = '';
  const addLevel = (attributes: Attributes, level: Omit<ListLevel, 'start'>): void => {
    const index = Number(attributeOf(attributes, 'level')) - 1;
    const start = Number(attributeOf(attributes, 'start-value') || 1);
    if (index >= 0 && index < 20) levels[index] = { ...level, start };
  };
  const startList = (name: string): void => {
    levels = [];
    style = '';
    lists.set(name, levels);
  };
  const addNumbered = (attributes: Attributes): void => {
    const level = Number(attributeOf(attributes, 'level')) || 1;
    const shown = Math.min(Number(attributeOf(attributes, 'display-levels')) || 1, level);
    const numbers = Array.from({ length: shown }, (_, index) => `%${level - shown + 1 + index}`).join('.');
    const pattern = attributeOf(attributes, 'num-prefix') + numbers + attributeOf(attributes, 'num-suffix');
    const format = FORMATS[attributeOf(attributes, 'num-format').slice(0, 1)] ?? 'decimal';
    addLevel(attributes, { format, pattern });
  };
  for (const source of sources) {
    walkMarkup(source, {
      elements: {
        'list-style': (attributes) => startList(attributeOf(attributes, 'name')),
        'outline-style': () => startList(OUTLINE),
        'list-level-style-number': addNumbered,
        'outline-level-style': addNumbered,
        'list-level-style-bullet': (attributes) => addLevel(attributes, { format: 'bullet', pattern: '-' }),
        style: (attributes) => void (style = attributeOf(attributes, 'name')),
        'table-properties': (attributes) => {
          if (attributeOf(attributes, 'display') === 'false') hidden.add(style);
        },
        'text-properties': (attributes) => {
          if (style === '') return;
          if (attributeOf(attributes, 'display') === 'none') hidden.add(style);
          // `super`, `sub`, or by how much of the height.
          const [, sign] = /^(super|[1-9]|sub|-)/.exec(attributeOf(attributes, 'text-position')) ?? [];
          if (sign !== undefined) raised.set(style, /^(?:sub|-)/.test(sign) ? '_' : '^');
        },
        'drawing-page-properties': (attributes) => {
          if (attributeOf(attributes, 'visibility') === 'hidden') hidden.add(style);
        },
        body: () => 'skip',
      },
    });
  }
  return { lists, hidden, raised };
}
