import { UnreadableDocument } from './unreadable-document.ts';
import { addHtmlText } from './html-text.ts';
import { pathFrom, type DocumentPackage } from './open-package.ts';
import type { TextBuilder } from './text-builder.ts';
import { attributeOf, walkMarkup } from './walk-markup.ts';

/**
 * Adds the chapters of an EPUB book in their order.
 * @throws UnreadableDocument `locked` if the chapters are encrypted.
 */
export function readEpub(source: DocumentPackage, out: TextBuilder): void {
  let main = '';
  walkMarkup(source.text('META-INF/container.xml') ?? '', {
    elements: { rootfile: (attributes) => void (main ||= pathFrom('', attributeOf(attributes, 'full-path'))) },
  });
  const chapters = new Map<string, string>();
  const spine: string[] = [];
  walkMarkup(source.text(main) ?? '', {
    elements: {
      item: (attributes) => {
        const target = decodePath(attributeOf(attributes, 'href').replace(/#.*/, ''));
        chapters.set(attributeOf(attributes, 'id'), pathFrom(main, target));
      },
      itemref: (attributes) => void spine.push(attributeOf(attributes, 'idref')),
    },
  });
  const paths = [...new Set(spine.map((id) => chapters.get(id) ?? ''))];
  const encrypted = new Set<string>();
  walkMarkup(source.text('META-INF/encryption.xml') ?? '', {
    elements: { CipherReference: (attributes) => void encrypted.add(decodePath(attributeOf(attributes, 'URI'))) },
  });
  if (paths.some((path) => encrypted.has(path))) throw new UnreadableDocument('locked');
  const names = new Map(source.names.map((name) => [folded(name), name]));
  for (const path of paths) {
    if (out.isFull) return;
    const html = source.text(path) ?? source.text(names.get(folded(path)) ?? '');
    if (html === null) continue;
    out.paragraph();
    addHtmlText(html, out, false);
    out.paragraph();
  }
}

/** Programs of systems that do not distinguish these make books whose names differ so. */
function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
