import type { DocumentPackage } from './open-package.ts';

/** Formats in a ZIP archive. */
export type PackageFormat = 'docx' | 'xlsx' | 'pptx' | 'openDocument' | 'epub';

/** Returns what the entries of an archive say about it; null if it is no document that can be read. */
export function packageFormat(source: DocumentPackage): PackageFormat | null {
  const { names } = source;
  const mediaType = names.includes('mimetype') ? (source.text('mimetype') ?? '').trim() : '';
  if (mediaType === 'application/epub+zip' || names.includes('META-INF/container.xml')) return 'epub';
  const hasContent = names.includes('content.xml') || names.includes('encrypted-package');
  if (mediaType.startsWith('application/vnd.oasis.opendocument.') && hasContent) return 'openDocument';
  const has = (folder: string) => names.some((name) => name.startsWith(folder) && name.endsWith('.xml'));
  if (!names.includes('[Content_Types].xml')) return null;
  if (has('word/')) return 'docx';
  if (names.some((name) => /^xl\/.*workbook\.xml$/.test(name))) return 'xlsx';
  return has('ppt/') ? 'pptx' : null;
}
