import type { DocumentPackage } from '../open-package.ts';
import type { TextBuilder } from '../text-builder.ts';
import { unescaped } from './unescaped.ts';
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
  const text = () => {
    isText = true;
    return () => (isText = false);
  };
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
      t: text,
      // Comments as PowerPoint wrote them before 2021. Elsewhere, an element `text` has further ones around its text.
      'p:cm': () => {
        out.line();
        return () => out.line();
      },
      'p:text': text,
    },
    text: (value) => {
      if (isText) out.text(unescaped(value));
    },
    isDone: () => out.isFull,
  });
}
