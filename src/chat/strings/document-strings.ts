import { formatBytes, formatNumber } from './format.ts';
import { localized } from './page-language.ts';

/** The screen of the collections. */
export const documentStrings = localized('documentStrings', {
  title: 'Documents',
  introduction:
    'Put files into a collection, then choose it in a chat: each question is looked up in them, and the answer shows the passages that it is based on.',
  newName: 'Name of a new collection',
  nameHint: 'Papers, contracts, a manual…',
  create: 'Create',
  nameNeeded: 'Give the collection a name.',
  collections: 'Collections',
  none: 'There is no collection yet. Create one, then add the files that you want to ask about.',
  listFailed: 'The collections could not be listed.',
  reading: 'Reading the collections…',
  created: (name: string) => `The collection ${name} was created.`,

  files: (count: number) => `${formatNumber(count)} ${count === 1 ? 'file' : 'files'}`,
  size: (bytes: number) => `index of ${formatBytes(bytes)}`,
  noFiles: 'No files yet.',
  orDrop: 'You can also drop them here.',
  expired:
    'This collection has expired, so it cannot be asked. Programs can set such a time; files added here have none.',
  ask: 'Ask',
  askAbout: (name: string) => `Ask about ${name}`,
  addFiles: 'Add files',
  addFilesTo: (name: string) => `Add files to ${name}`,
  addFolder: 'Add a folder',
  addFolderTo: (name: string) => `Add a folder to ${name}`,
  nothingToAdd: 'There is no file to add. In folders, files that a dot hides are left out.',
  dropHere: 'Drop the files here to add them.',

  adding: (done: number, total: number) => `Reading files: ${formatNumber(done)} of ${formatNumber(total)}`,
  paused: (done: number, total: number) => `Paused at file ${formatNumber(done)} of ${formatNumber(total)}`,
  keepOpen: 'Keep this page open until all files are read.',
  indexing: (done: number, total: number) => `Indexing: ${formatNumber(done)} of ${formatNumber(total)} files`,
  canAskAlready: 'What is indexed can be asked about now.',
  ready: (count: number) =>
    count === 1 ? 'The file can be asked about.' : `All ${formatNumber(count)} files can be asked about.`,
  failed: (count: number) => `${documentCount(count)} could not be indexed.`,
  pause: 'Pause',
  resume: 'Continue',
  cancel: 'Cancel',
  cancelHint: 'Removes the files that are not indexed yet',
  isImage: 'An image has no text.',

  remarks: (refused: number, partial: number) =>
    [
      refused === 0 ? '' : `${documentCount(refused)} not added`,
      partial === 0 ? '' : `${documentCount(partial)} added in part`,
    ]
      .filter((part) => part !== '')
      .join(', '),
  furtherRemarks: (count: number) =>
    `${formatNumber(count)} more ${count === 1 ? 'file is' : 'files are'} not shown here.`,
  fileList: 'Files',
  fileStates: {
    in_progress: 'is being indexed',
    completed: '',
    failed: 'could not be indexed',
    cancelled: 'was not indexed',
  },
  more: (count: number) => `Show ${formatNumber(count)} more`,
  remove: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${name} was removed.`,
  delete: 'Delete',
  deleteOf: (name: string) => `Delete the collection ${name}`,
  confirmDelete: (name: string, files: number) => ({
    heading: `Delete the collection ${name}?`,
    words:
      files === 0
        ? 'It has no files. Answers of chats keep the passages that they show.'
        : `Its ${documentCount(files)} and the index are deleted from this site. Your own files stay where they are, and answers of chats keep the passages that they show.`,
    action: 'Delete',
  }),
  deleted: (name: string) => `The collection ${name} was deleted.`,
});

/** Documents in a chat. */
export const sourceStrings = localized('sourceStrings', {
  choose: 'Documents',
  chosen: (name: string) => `Documents of this chat: ${name}`,
  none: 'No documents',
  manage: 'Manage documents…',
  missing: (name: string) => `${name} (deleted)`,
  unnamed: 'the documents',
  sources: 'Sources',
  passages: 'Passages that fit the question',
  found: (count: number, name: string) =>
    count === 1
      ? `1 passage of ${name} fits the question.`
      : `${formatNumber(count)} passages of ${name} fit the question.`,
  hardlyReads: (model: string) => `${model} is too small to read them, so they are shown as they are.`,
  nothing: (name: string) =>
    `Nothing in ${name} fits this question, so no model was asked. Ask in other words, or choose other documents.`,
  stillIndexing: (done: number, total: number) =>
    `Nothing was found yet: ${formatNumber(done)} of ${documentCount(total)} ${total === 1 ? 'is' : 'are'} indexed. Ask again when the rest is, too.`,
  open: (number: number, name: string) => `Source ${number} ${name}`,
  gone: 'The file is no longer in the collection. This is the passage that was found.',
  moved: 'The file has changed since, and no longer has this passage. This is the passage that was found.',
  opening: 'Opening the file…',
  passage: 'The passage',
  leftOut: '[…]',
});

function documentCount(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'file' : 'files'}`;
}
