import { drafts } from '../storage/drafts/drafts.ts';
import type { AttachmentController } from './attachment-controller.ts';
import { longTextOf, MAX_IN_FIELD, takeLongInsertion } from './long-text.ts';

/**
 * Attaches long texts as files when they are pasted into a text field, dropped on it, or inserted by a script. A text
 * goes into the field if the user wants it there, or if it cannot be attached and is not too long.
 * @param root Has the text field, and the tray with the files.
 */
export function watchLongTexts(root: ParentNode & EventTarget, attachments: AttachmentController): void {
  const field = root.querySelector('textarea');
  if (field === null) return;
  /** Value of the field before the next change by an event, by which a long insertion is noticed. */
  let before = field.value;

  const insert = (text: string) => {
    field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
    before = field.value;
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    field.focus();
  };
  const attach = async (text: string) => {
    const { chat } = attachments;
    const isAttached = await attachments.addText(text);
    if (isAttached || text.length > MAX_IN_FIELD) return;
    if (attachments.chat === chat) insert(text);
    else drafts.prepend(chat, text);
  };
  const take = (event: Event, text: string | null) => {
    if (text === null) return;
    event.preventDefault();
    void attach(text);
  };

  // Bubbles here after the handler of pasted files, which may have taken the paste.
  root.addEventListener('paste', (event) => {
    if (!event.defaultPrevented) take(event, longTextOf((event as ClipboardEvent).clipboardData));
  });
  field.addEventListener('drop', (event) => {
    const text = longTextOf(event.dataTransfer);
    // A text that is dragged within the field stays text.
    if (text !== null && !field.value.includes(text)) take(event, text);
  });
  // The page has shown the draft of another chat.
  field.addEventListener('draft', () => (before = field.value));
  // In the capture phase, so that the field has its old value again when the page looks at it.
  root.addEventListener(
    'input',
    ({ target }) => {
      const text = target === field ? takeLongInsertion(field, before) : null;
      before = field.value;
      if (text !== null) void attach(text);
    },
    { capture: true },
  );
  root
    .querySelector('attachment-tray')
    ?.addEventListener('insert', (event) => insert((event as CustomEvent<string>).detail));
}
