import { exportStrings } from '../strings/transfer-strings.ts';

/** Downloads a text or data as a file. */
export function saveFile(name: string, type: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address));
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
  return `${words.slice(0, 60) || exportStrings.untitledFile}.${extension}`;
}
