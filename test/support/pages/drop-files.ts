import type { Page } from '@playwright/test';

export interface DroppedFile {
  readonly name: string;
  /** Texts, or bytes. */
  readonly parts: readonly (string | readonly number[])[];
  /** Number of times that `parts` are repeated. Default: once. */
  readonly times?: number;
  /** Default: a type that no browser knows. */
  readonly type?: string;
}

/** Drags files over the page and drops them. @returns Whether the browser would open them in place of the page. */
export async function dropFiles(page: Page, files: readonly DroppedFile[]): Promise<boolean> {
  return page.evaluate((files) => {
    const dataTransfer = new DataTransfer();
    for (const { name, parts, times = 1, type = '' } of files) {
      const once = parts.map((part) => (typeof part === 'string' ? part : Uint8Array.from(part)));
      dataTransfer.items.add(new File(Array.from({ length: times }, () => once).flat(), name, { type }));
    }
    const event = { dataTransfer, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent('dragover', event));
    return document.body.dispatchEvent(new DragEvent('drop', event));
  }, files);
}
