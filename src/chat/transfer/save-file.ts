import { exportStrings } from '../strings/transfer-strings.ts';

/**
 * Milliseconds for which a file can be read after its download was asked for. Browsers may read it only when the person has
 * confirmed that, as Safari's do on phones, or has chosen a folder.
 */
const KEPT = 5 * 60_000;

/** Downloads a text or data as a file. */
export function saveFile(name: string, type: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT);
}

/**
 * Returns a file name made from a title: letters and digits of any script are kept; hyphens replace everything else.
 */
export function fileName(title: string, extension: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  // The cut may leave half of a surrogate pair.
  return `${words.slice(0, 60).replace(/\p{Cs}/u, '') || exportStrings.untitledFile}.${extension}`;
}
