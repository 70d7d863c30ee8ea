import type { DocumentPackage } from '../open-package.ts';
import type { TextBuilder } from '../text-builder.ts';
import { walkMarkup, type Attributes } from '../walk-markup.ts';

/**
 * Adds the texts of a part of an Office document that is not read in detail: a diagram, text boxes, or comments.
 * @param labelOf Returns what stands before a comment. Default: nothing.
 */
export function addTexts(
  source: DocumentPackage,
  part: string,
  out: TextBuilder,
  labelOf?: (attributes: Attributes) => string,
): void {
  let isText = false;
  walkMarkup(source.text(part) ?? '', {
    elements: {
      p: () => {
        out.line();
        return () => out.line();
      },
      comment: (attributes) => {
        out.line();
        out.text(labelOf?.(attributes) ?? '');
        return () => out.line();
      },
      t: () => {
        isText = true;
        return () => (isText = false);
      },
    },
    text: (value) => {
      if (isText) out.text(value);
    },
    isDone: () => out.isFull,
  });
}
