import { html } from 'lit';
import { ApiError } from '../../../src/shared/api-error.ts';
import '../../../src/chat/conversation/composer/documents-chip.ts';
import '../../../src/chat/conversation/composer/message-composer.ts';
import '../../../src/chat/conversation/messages/answer-message.ts';
import '../../../src/chat/conversation/messages/answer-sources.ts';
import '../../../src/chat/conversation/messages/passage-dialog.ts';
import '../../../src/chat/documents/collection-card.ts';
import '../../../src/chat/documents/collection-export.ts';
import { archiveMark } from '../../../src/chat/documents/archive/archive-mark.ts';
import { documentStrings } from '../../../src/chat/strings/document-strings.ts';
import { adderOf, type DocumentAdder, type FileRemark } from '../../../src/chat/documents/document-adder.ts';
import type { DocumentsView } from '../../../src/chat/documents/documents-view.ts';
import '../../../src/chat/documents/documents-view.ts';
import '../../../src/chat/documents/file-list.ts';
import '../../../src/chat/documents/folder-list.ts';
import type { CollectionFile } from '../../../src/chat/api/collection-files.ts';
import type { RememberedFolder } from '../../../src/chat/documents/remembered-folders.ts';
import { DEFAULT_SETTINGS, type Answer } from '../../../src/chat/types/conversation.ts';
import { sampleCollection, SAMPLE_SOURCES } from '../samples/collections.ts';
import { sampleAnswer } from '../samples/conversation.ts';
import { LONG_WORDS } from '../samples/conversations.ts';
import { press, whenThere } from '../specimen-actions.ts';
import type { SampleCollection, SpecimenState, SpecimenTable } from '../specimen.ts';

const HARBOURS = { id: 'vs-1', name: 'Harbours' };
const FULL = sampleCollection({}, { completed: 12, failed: 1 });
const SOME = [
  sampleCollection({ id: 'vs-3', name: 'Letters' }),
  sampleCollection({ id: 'vs-2', name: 'Contracts' }, { completed: 30, in_progress: 10 }),
  FULL,
];

let cards = 0;

/** @param adding State of the page's adder of this collection, as after the person has chosen files. */
function card({ collection, ...rest }: SampleCollection, adding: Partial<DocumentAdder> = {}): SpecimenState {
  // Each card has an adder of its own, because several are shown on one page.
  const sample = { ...rest, collection: { ...collection, id: `vs-card-${(cards += 1)}` } };
  return {
    template: () => {
      Object.assign(adderOf(sample.collection.id), adding);
      return html`<collection-card .collection=${sample.collection}></collection-card>`;
    },
  };
}

const REMARKS: readonly FileRemark[] = [
  { name: 'harbours/map.png', words: '–', isRefused: true },
  { name: `harbours/${LONG_WORDS}.pdf`, words: '–', isRefused: false },
];

/** @param absent Names of files that are no longer in the first folder. */
function folders(names: readonly string[], absent: readonly string[] = []): SpecimenState {
  return {
    template: () => html`<folder-list .collection=${FULL.collection}></folder-list>`,
    act: async (stand) => {
      const list = stand.querySelector('folder-list')!;
      await list.refresh();
      list.folders = names.map((name) => ({ id: name, name }) as RememberedFolder);
      const files = absent.map((name) => ({ id: name, attributes: { name } }) as CollectionFile);
      list.absent = files.length === 0 ? null : { folder: names[0]!, files };
      await list.updateComplete;
    },
  };
}

function answered(changes: Partial<Answer>): SpecimenState {
  const answer = sampleAnswer({
    settings: { ...DEFAULT_SETTINGS, documents: HARBOURS },
    sources: SAMPLE_SOURCES,
    ...changes,
  });
  return {
    template: () => html`<answer-message .answer=${answer} .models=${[{ id: 'pocket' }]}></answer-message>`,
  };
}

function sources(changes: Partial<Answer>): SpecimenState {
  const answer = sampleAnswer({
    model: 'Sample-1.5B-q4f16_1-MLC',
    settings: { ...DEFAULT_SETTINGS, documents: HARBOURS },
    sources: SAMPLE_SOURCES,
    ...changes,
  });
  return { template: () => html`<answer-sources .answer=${answer}></answer-sources>` };
}

function chip(documents: typeof HARBOURS | undefined): SpecimenState {
  const settings = { ...DEFAULT_SETTINGS, documents };
  return { template: () => html`<documents-chip .settings=${settings}></documents-chip>` };
}

function passage(file: string, text: string, collection = FULL): SpecimenState {
  return {
    collections: [collection],
    template: () =>
      html`<passage-dialog .source=${{ file, name: 'harbours/handbook.pdf', text }} collection=${file === '' ? 'vs-gone' : 'vs-1'}></passage-dialog>`,
    act: async (element) => void (await whenThere(element, '.text')),
  };
}

function view(collections: SpecimenState['collections']): SpecimenState {
  return { place: 'screen', collections: collections!, template: () => html`<documents-view></documents-view>` };
}

export const documentSpecimens: SpecimenTable = {
  'documents-view': {
    empty: view([]),
    filled: view(SOME),
    checking: {
      ...view(SOME),
      act: async (stand) => {
        const shown = stand.querySelector<DocumentsView>('documents-view')!;
        shown.checking = documentStrings.checking(3, 40);
        await shown.updateComplete;
      },
    },
    failed: view(new ApiError('engine_unavailable', 'Sample of a sentence.')),
  },
  'collection-card': {
    empty: card(sampleCollection({})),
    ready: card(FULL),
    indexing: card(sampleCollection({}, { completed: 30, in_progress: 10 })),
    unfinished: card(sampleCollection({ metadata: archiveMark({ hash: 'abc', files: 40 }) }, { completed: 3 })),
    'not-indexed': card(sampleCollection({}, { failed: 2 })),
    expired: card(sampleCollection({ status: 'expired' }, { completed: 3 })),
    adding: card(FULL, { state: 'adding', done: 3, total: 40 }),
    'other-tab': card(FULL, { state: 'adding', isWaiting: true, done: 0, total: 40 }),
    anew: card(FULL, { computedAnew: 3, done: 12, total: 12 }),
    unchanged: card(FULL, { unchanged: 12, done: 12, total: 12 }),
    paused: card(FULL, { state: 'paused', done: 3, total: 40 }),
    stuck: card(FULL, { state: 'paused', done: 3, total: 40, problem: 'Sample of a sentence.' }),
    'same-folder': {
      ...card(FULL),
      act: async (stand) => {
        const shown = stand.querySelector('collection-card')!;
        shown.question = { name: LONG_WORDS, answer: () => {} };
        await shown.updateComplete;
      },
    },
    remarks: { ...card(FULL, { remarks: REMARKS }), act: press('.remarks summary') },
    'long-name': card(sampleCollection({ name: LONG_WORDS }, { completed: 1 })),
  },
  'collection-export': {
    ready: { template: () => html`<collection-export .collection=${FULL.collection}></collection-export>` },
    exporting: {
      template: () =>
        html`<collection-export .collection=${FULL.collection} .words=${documentStrings.exporting(3, 12)}></collection-export>`,
    },
  },
  'folder-list': {
    some: folders(['harbours', LONG_WORDS]),
    absent: folders(['harbours'], ['harbours/2019/map.pdf', `harbours/${LONG_WORDS}.md`]),
  },
  'file-list': {
    open: {
      collections: [FULL],
      template: () => html`<file-list .collection=${FULL.collection}></file-list>`,
      act: async (element) => {
        await press('summary')(element);
        await whenThere(element, 'li');
      },
    },
  },
  'documents-chip': {
    off: chip(undefined),
    on: chip(HARBOURS),
    'long-name': chip({ id: 'vs-1', name: LONG_WORDS }),
    open: {
      ...chip({ id: 'vs-9', name: 'Deleted' }),
      collections: SOME,
      act: async (element) => {
        await press('button')(element);
        await whenThere(element, 'wa-dropdown-item');
      },
    },
  },
  'answer-sources': {
    cited: sources({}),
    'long-names': sources({ sources: [{ file: 'f', name: LONG_WORDS, text: LONG_WORDS }] }),
    passages: sources({ model: 'pocket', text: '' }),
    none: sources({ text: '', sources: [] }),
  },
  'answer-with-sources': {
    cited: answered({
      model: 'Sample-1.5B-q4f16_1-MLC',
      text: 'Oslo has two lighthouses [1]. The ferry leaves at 14:00 [1, 2], and not at `times[1]` [7].',
    }),
    ranges: answered({
      model: 'Sample-1.5B-q4f16_1-MLC',
      text: 'Both harbours have lighthouses [2–4], piers [1 - 2], ferries [1-6] and cranes [4-9].',
      sources: [...SAMPLE_SOURCES, ...SAMPLE_SOURCES],
    }),
    passages: answered({ text: '' }),
    none: answered({ text: '', sources: [] }),
  },
  'passage-dialog': {
    found: passage('file-1', SAMPLE_SOURCES[0]!.text),
    pages: passage('file-1', SAMPLE_SOURCES[0]!.text, { ...FULL, text: FULL.text.replaceAll('\n\n', '\n\f') }),
    changed: passage('file-1', 'This passage is no longer there.'),
    gone: passage('', SAMPLE_SOURCES[0]!.text),
  },
};
