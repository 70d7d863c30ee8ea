import { html } from 'lit';
import '../../attachments/attachment-list.ts';
import '../../attachments/attachment-tray.ts';
import type { AttachmentTray } from '../../attachments/attachment-tray.ts';
import { whenThere } from '../act.ts';
import { ARABIC, LONG_WORDS } from '../samples/conversations.ts';
import type { Attachment } from '../../storage/conversation.ts';
import type { SpecimenState, SpecimenTable } from '../specimen.ts';

const MODEL = { id: 'pocket', context_window: 20 };

/** One red pixel. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** The tray once these files have been read. */
function tray(...files: readonly File[]): SpecimenState {
  return {
    template: () => html`<attachment-tray .model=${MODEL}></attachment-tray>`,
    act: async (element) => {
      const tray = (await whenThere(element, 'attachment-tray')) as AttachmentTray;
      tray.add(files);
      await tray.take('Why?').catch(() => null);
    },
  };
}

/** What lies beside a question. */
function list(...attachments: readonly Attachment[]): SpecimenState {
  return { template: () => html`<attachment-list .attachments=${attachments}></attachment-list>` };
}

/** Read, but not taken: a broken one keeps the others where they are. */
const BROKEN = new File([new Uint8Array(100)], 'a-picture.txt', { type: 'text/plain' });

export const attachmentSpecimens: SpecimenTable = {
  'attachment-tray': {
    empty: tray(),
    texts: tray(new File(['a,b\n1,2'], 'table.csv'), new File([ARABIC], `${ARABIC.slice(0, 30)}.txt`), BROKEN),
    'long-names': tray(new File(['x'], `${LONG_WORDS.slice(0, 200)}.md`), BROKEN),
    'too-many': tray(...Array.from({ length: 25 }, (_, index) => new File(['x'], `file-${index}.txt`)), BROKEN),
  },
  'attachment-list': {
    closed: list(
      { id: '1', kind: 'text', name: 'notes.md', size: 1200, part: 'passages', text: 'Some words' },
      { id: '2', kind: 'text', name: `${LONG_WORDS.slice(0, 150)}<b>.md`, size: 12, part: 'whole', text: 'x' },
    ),
    open: {
      ...list(
        { id: '1', kind: 'text', name: 'notes.md', size: 1200, part: 'beginning', text: LONG_WORDS },
        { id: '2', kind: 'image', name: 'red.png', size: 70, url: PIXEL },
      ),
      act: async (element) => {
        const list = await whenThere(element, 'attachment-list');
        for (const details of list.shadowRoot?.querySelectorAll('details') ?? []) details.open = true;
      },
    },
  },
};
