import { LitElement } from 'lit';
import type { MarkdownText } from '../../markdown/markdown-text.ts';

/** Renders everything below `root` that waits for a Lit update or for idle time, before this function returns. */
export function renderNow(root: Element): void {
  // Lit's documentation names `performUpdate` for updates that cannot wait, although its type is protected.
  if (root instanceof LitElement) (root as unknown as { performUpdate(): void }).performUpdate();
  if (root.localName === 'markdown-text') (root as MarkdownText).drawNow();
  for (const child of [...root.children, ...(root.shadowRoot?.children ?? [])]) renderNow(child);
}
