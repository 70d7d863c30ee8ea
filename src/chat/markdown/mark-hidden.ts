import { markdownStrings } from '../strings/message-strings.ts';
import { splitAtHidden } from '../strings/visible-text.ts';

/**
 * Marks the characters below `code` that a browser does not draw, because they can make a program look like another one.
 * The marks are drawn by styles only: the text stays the same, also when it is selected and copied.
 */
export function markHidden(code: HTMLElement): void {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  for (const node of nodes) {
    const parts = splitAtHidden(node.data);
    if (parts.every((part) => part.code === null)) continue;
    node.replaceWith(...parts.map((part) => (part.code === null ? part.text : mark(part.text, part.code))));
  }
}

function mark(character: string, code: string): HTMLElement {
  const element = document.createElement('span');
  element.className = 'hidden-character';
  element.dataset['code'] = code;
  element.title = markdownStrings.hiddenCharacter(code);
  element.textContent = character;
  return element;
}
