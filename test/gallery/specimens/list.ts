import { html } from 'lit';
import { listStrings } from '../../../src/chat/strings/list-strings.ts';
import '../../../src/chat/common/confirmation-dialog.ts';
import '../../../src/chat/common/timed-notice.ts';
import '../../../src/chat/list/conversation-item.ts';
import '../../../src/chat/list/conversation-list.ts';
import type { Conversation } from '../../../src/chat/types/conversation.ts';
import { press, whenThere } from '../specimen-actions.ts';
import { sampleConversation } from '../samples/conversation.ts';
import { ARABIC, LONG_WORDS, SAMPLE_CONVERSATIONS } from '../samples/conversations.ts';
import type { SpecimenState, SpecimenTable } from '../specimen.ts';

function item(changes: Partial<Conversation>, properties: object = {}): SpecimenState {
  const conversation = sampleConversation(changes);
  return {
    place: 'side',
    template: () =>
      html`${Object.assign(document.createElement('conversation-item'), { conversation, ...properties })}`,
  };
}

const list: SpecimenState = {
  place: 'side',
  template: () => html`<conversation-list></conversation-list>`,
  conversations: SAMPLE_CONVERSATIONS,
};

const MANY = Array.from({ length: 60 }, (_, index) => ({
  conversation: sampleConversation({ id: `c${index}`, title: `Chat number ${index}`, updated: index }),
  messages: [],
}));

export const listSpecimens: SpecimenTable = {
  'conversation-item': {
    resting: item({}),
    current: item({}, { current: true }),
    answering: item({}, { answering: true }),
    long: item({ title: LONG_WORDS }, { current: true, answering: true }),
    found: item({}, { snippet: ['It is ', 'found', ' here, in a line that is long enough to wrap.'] }),
    'right-to-left': item({ title: ARABIC }, { current: true }),
    'menu-open': { ...item({ pinned: true }), act: openMenu },
  },
  'conversation-list': {
    empty: { ...list, conversations: [] },
    filled: { ...list, hash: '#/chat/every' },
    many: { ...list, conversations: MANY },
    'nothing-found': { ...list, act: (element) => search(element, 'nowhere', 'nav [role=status]') },
    found: { ...list, act: (element) => search(element, 'because', 'mark') },
    'close-in-meaning': { ...list, act: (element) => search(element, 'somewhere', 'nav .found') },
    deleted: {
      ...list,
      act: async (element) => {
        const item = await whenThere(element, 'conversation-item');
        item.dispatchEvent(new CustomEvent('action', { detail: 'delete' }));
        await whenThere(element, 'timed-notice');
      },
    },
    renaming: {
      ...list,
      place: 'screen',
      act: async (element) => {
        const item = await whenThere(element, 'conversation-item');
        item.dispatchEvent(new CustomEvent('action', { detail: 'rename' }));
        await whenThere(document.body, 'confirmation-dialog');
      },
    },
  },
  'timed-notice': {
    undo: {
      template: () => html`<timed-notice words="“A title” was deleted." action=${listStrings.undo}></timed-notice>`,
    },
    words: { template: () => html`<timed-notice words="3 chats imported."></timed-notice>` },
    long: {
      place: 'side',
      template: () => html`<timed-notice words=${LONG_WORDS} action=${listStrings.undo}></timed-notice>`,
    },
  },
  'confirmation-dialog': {
    confirmation: {
      place: 'screen',
      template: () =>
        html`<confirmation-dialog heading="Delete this chat?" words="It will be gone." action="Delete" danger></confirmation-dialog>`,
    },
    text: {
      place: 'screen',
      template: () =>
        html`<confirmation-dialog heading="Rename" label="Name of this chat" value="A title" action="Rename"></confirmation-dialog>`,
    },
    long: {
      place: 'screen',
      template: () =>
        html`<confirmation-dialog heading=${LONG_WORDS} words=${LONG_WORDS} action="Delete" danger></confirmation-dialog>`,
    },
  },
};

async function search(element: HTMLElement, words: string, shown: string): Promise<void> {
  const field = await whenThere(element, 'input[type=search]');
  Object.assign(field, { value: words }).dispatchEvent(new Event('input'));
  await whenThere(element, shown);
}

async function openMenu(element: HTMLElement): Promise<void> {
  await press('button[slot=trigger]')(element);
  await whenThere(element, 'wa-dropdown[open]');
}
