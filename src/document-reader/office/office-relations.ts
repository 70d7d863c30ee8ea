import type { DocumentPackage } from '../open-package.ts';
import { pathFrom } from '../open-package.ts';
import { attributeOf, walkMarkup } from '../walk-markup.ts';

/** A part of an Office document to which another part refers. */
export interface Relation {
  readonly id: string;
  /** The last word of the relation's type, such as `header` or `slide`. */
  readonly type: string;
  /** The path of the part in the package. */
  readonly target: string;
}

/**
 * Returns the parts to which a part of a DOCX, XLSX or PPTX file refers, without those outside of the file.
 * @param part Its path; empty for the whole package.
 */
export function relationsOf(source: DocumentPackage, part: string): readonly Relation[] {
  const slash = part.lastIndexOf('/') + 1;
  const found: Relation[] = [];
  walkMarkup(source.text(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`) ?? '', {
    elements: {
      Relationship: (attributes) => {
        if (attributeOf(attributes, 'TargetMode') === 'External') return;
        const type = attributeOf(attributes, 'Type').split('/').at(-1) ?? '';
        const target = pathFrom(part, attributeOf(attributes, 'Target'));
        found.push({ id: attributeOf(attributes, 'Id'), type, target });
      },
    },
  });
  return found;
}

/** Returns the path of the main part; `usual` if the package does not name it. */
export function mainPartOf(source: DocumentPackage, usual: string): string {
  const target = relationsOf(source, '').find(({ type }) => type === 'officeDocument')?.target;
  return target !== undefined && source.names.includes(target) ? target : usual;
}
