import { html } from 'lit';
import '../../../src/chat/attachments/attachment-list.ts';
import '../../../src/chat/attachments/attachment-tray.ts';
import '../../../src/chat/attachments/image-dialog.ts';
import type { AttachmentTray } from '../../../src/chat/attachments/attachment-tray.ts';
import { whenThere } from '../specimen-actions.ts';
import { ARABIC, LONG_WORDS } from '../samples/conversations.ts';
import type { ListedModel } from '../../../src/chat/api/list-models.ts';
import type { Attachment, Message } from '../../../src/chat/types/conversation.ts';
import { sampleQuestion } from '../samples/conversation.ts';
import { itemOf } from '../../../src/chat/attachments/tray-item.ts';
import { unsentFiles } from '../../../src/chat/attachments/unsent-files.ts';
import type { SpecimenState, SpecimenTable } from '../specimen.ts';

const MODEL = { id: 'pocket', context_window: 20 };

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const LONG_NAME = `${LONG_WORDS.slice(0, 150)}<b>.md`;

const SEEING = { ...MODEL, context_window: 4096, tabserve: { state: 'loaded', capabilities: { images: true } } };

/** The tray with these files, after they have been read. */
function tray(...files: readonly File[]): SpecimenState {
  return trayOf(MODEL, [], ...files);
}

function trayOf(model: ListedModel, path: readonly Message[], ...files: readonly File[]): SpecimenState {
  return {
    template: () => html`<attachment-tray .model=${model} .path=${path}></attachment-tray>`,
    act: async (element) => {
      const tray = (await whenThere(element, 'attachment-tray')) as AttachmentTray;
      tray.add(files, tray.chat);
      await tray.take('Why?', tray.chat).catch(() => null);
    },
  };
}

const RED = { id: '2', kind: 'image', name: 'red.png', size: 70, url: PIXEL } as const;

function picture(name: string): File {
  const bytes = Uint8Array.from(atob(PIXEL.split(',')[1]!), (character) => character.charCodeAt(0));
  return new File([bytes], name, { type: 'image/png' });
}

/** The tray after a reload: one file has only its name, and one file did not fit into the storage. */
const AFTER_RELOAD: SpecimenState = {
  template: () => html`<attachment-tray .model=${MODEL} .path=${[]}></attachment-tray>`,
  act: async (element) => {
    await whenThere(element, 'attachment-tray');
    const nameOnly = itemOf({ id: '1', name: LONG_NAME, size: 1200, part: 'beginning' });
    const attachment = {
      id: '2',
      kind: 'text',
      name: 'notes.md',
      size: 22,
      part: 'whole',
      text: 'Some words',
    } as const;
    const unkept = itemOf({ id: '2', name: 'notes.md', size: 22, part: 'beginning', attachment });
    void unsentFiles.set(undefined, [nameOnly, { ...unkept, isUnkept: true }]);
  },
};

function list(...attachments: readonly Attachment[]): SpecimenState {
  return { template: () => html`<attachment-list .attachments=${attachments}></attachment-list>` };
}

/**
 * A file that cannot be read, because it is not text. If it is in the tray, `take` waits for all files but sends none.
 */
const BROKEN = new File([new Uint8Array(100)], 'a-picture.txt', { type: 'text/plain' });

/** A page of which several kinds of parts are left out. */
const PAGE =
  '<html><body>Text<img src="x"><img src="y"><script></script><video></video><p hidden>Secret</p></body></html>';

/** Names written only in kanji. Their bytes could be Chinese or Korean as well. */
const EUC_JP = new File(
  [Uint8Array.of(0xbb, 0xe1, 0xcc, 0xbe, 0x2c, 0xbd, 0xbb, 0xbd, 0xea, 0x0a, 0xbb, 0xb3, 0xc5, 0xc4)],
  'names.csv',
);

export const attachmentSpecimens: SpecimenTable = {
  'attachment-tray': {
    empty: tray(),
    texts: tray(new File(['a,b\n1,2'], 'table.csv'), new File([ARABIC], `${ARABIC.slice(0, 30)}.txt`), BROKEN),
    'long-names': tray(new File(['x'], `${LONG_WORDS.slice(0, 200)}.md`), BROKEN),
    images: trayOf(SEEING, [], picture('red.png'), picture(LONG_NAME), BROKEN),
    'images-unseen': trayOf(MODEL, [sampleQuestion({ attachments: [RED] })], picture('red.png'), BROKEN),
    'after-reload': AFTER_RELOAD,
    'encoding-asked': tray(EUC_JP, BROKEN),
    'left-out': tray(new File([PAGE], 'page.html'), BROKEN),
    'too-many': tray(...Array.from({ length: 25 }, (_, index) => new File(['x'], `file-${index}.txt`)), BROKEN),
  },
  'image-dialog': {
    open: { place: 'page', template: () => html`<image-dialog name="red.png" url=${PIXEL}></image-dialog>` },
    'long-name': { place: 'page', template: () => html`<image-dialog name=${LONG_NAME} url=${PIXEL}></image-dialog>` },
  },
  'attachment-list': {
    closed: list(
      { id: '1', kind: 'text', name: 'notes.md', size: 1200, part: 'passages', text: 'Some words' },
      { id: '2', kind: 'text', name: LONG_NAME, size: 12, part: 'whole', text: 'x' },
    ),
    open: {
      ...list({ id: '1', kind: 'text', name: 'notes.md', size: 1200, part: 'beginning', text: LONG_WORDS }, RED, {
        ...RED,
        id: '3',
        name: LONG_NAME,
      }),
      act: async (element) => {
        const list = await whenThere(element, 'attachment-list');
        for (const details of list.shadowRoot?.querySelectorAll('details') ?? []) details.open = true;
      },
    },
  },
};
