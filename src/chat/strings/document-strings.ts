import { documentCount } from './document-count.ts';
import { formatBytes, formatDuration, formatNumber } from './format.ts';
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

  files: documentCount,
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
  sameFolder: (name: string) => `The collection has files of a folder named ${name}. Is this the same folder?`,
  isSameFolder: 'The same: replace what has changed',
  isOtherFolder: 'Another one: keep them apart',
  nothingToAdd: 'There is no file to add. In folders, files that a dot hides are left out.',
  dropHere: 'Drop the files here to add them.',

  adding: (done: number, total: number) => `Reading files: ${formatNumber(done)} of ${formatNumber(total)}`,
  paused: (done: number, total: number) => `Paused at file ${formatNumber(done)} of ${formatNumber(total)}`,
  otherTab: 'Another tab is adding files to this collection. This one goes on when it has ended.',
  unchanged: (count: number) => `${documentCount(count)} had not changed.`,
  passages: (count: number) => `${formatNumber(count)} ${count === 1 ? 'passage' : 'passages'}`,
  timeLeft: (seconds: number) => `about ${formatDuration(seconds)} left`,
  keepOpen: 'Keep this page open until all files are read.',
  indexing: (done: number, total: number) => `Indexing: ${formatNumber(done)} of ${formatNumber(total)} files`,
  indexingPaused: (done: number, total: number) =>
    `Indexing is paused: ${formatNumber(done)} of ${formatNumber(total)} files`,
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
  export: 'Export',
  exportOf: (name: string) => `Export the collection ${name}`,
  exporting: (done: number, total: number) => `Exporting: ${formatNumber(done)} of ${documentCount(total)}`,
  exported: (name: string) => `The collection ${name} was exported.`,
  notExported: (count: number, names: string) => {
    const them = count === 1 ? 'it' : 'them';
    return `The archive lacks ${documentCount(count)} whose content is no longer whole: ${names}. Remove ${them} from the collection, add ${them} again, then export again.`;
  },
  cancelExport: 'Cancel the export',
  tooLargeToExport: 'This collection is too large for one archive, which can have 4 GB or 32,000 files.',
  import: 'Import',
  importHint: 'Adds a collection from an archive that was exported here or on another device',
  /** The total is 0 until the archive's list of files is read. */
  checking: (done: number, total: number) =>
    total === 0 ? 'Checking the archive' : `Checking the archive: ${formatNumber(done)} of ${documentCount(total)}`,
  checkingHere: 'The import is cancelled if you leave this screen before the archive is checked.',
  imported: (name: string, files: number) => `The collection ${name} with ${documentCount(files)} is being imported.`,
  damagedArchive: 'This archive is damaged, so nothing was imported. Export it again, or copy it again.',
  restNotImported:
    'The rest of the archive could not be read: it was moved, changed or deleted meanwhile. Import the archive again to add the rest.',
  unfinished: (present: number, total: number) =>
    `The import was interrupted: ${formatNumber(present)} of ${documentCount(total)} are here. If no other tab is importing them, import the archive again to add the rest.`,
  keepUnfinished: 'Keep it as it is',
  keepUnfinishedOf: (name: string) => `Keep the collection ${name} as it is`,
  otherArchive: 'This file is no archive of a collection.',
  computedAnew: (count: number) =>
    `The vectors of ${documentCount(count)} could not be used here, so ${count === 1 ? 'it is' : 'they are'} indexed anew.`,
  folders: 'Folders',
  check: 'Check for changes',
  checkOf: (name: string) => `Check the folder ${name} for changes`,
  forget: (name: string) => `Forget the folder ${name}, but not its files`,
  forgotten: (name: string) => `The folder ${name} was forgotten, but not its files.`,
  folderDenied: (name: string) => `The browser does not let this page read ${name}. Allow it, then check again.`,
  folderGone: (name: string) =>
    `The folder ${name} could not be read: it may have been moved or deleted. Add it again from its new place.`,
  absent: (count: number, folder: string) =>
    `${documentCount(count)} of the collection ${count === 1 ? 'is' : 'are'} no longer in the folder ${folder}.`,
  absentFiles: 'Files that are no longer in the folder',
  removeAbsent: 'Remove from the collection',
  keepAbsent: 'Keep',
  absentRemoved: (count: number) => `${documentCount(count)} removed.`,
  fileList: 'Files',
  fileStates: {
    in_progress: 'is being indexed',
    completed: '',
    failed: 'could not be indexed',
    cancelled: 'was not indexed',
  },
  more: (count: number) => `Show ${formatNumber(count)} more`,
  remove: (name: string) => `Remove ${name}`,
  confirmRemove: (name: string) => ({
    heading: `Delete the file ${name}?`,
    words:
      'A program has added it, and it may be the only copy. It is deleted from all collections and cannot be brought back.',
    action: 'Delete',
  }),
  removed: (name: string) => `${name} was removed.`,
  delete: 'Delete',
  deleteOf: (name: string) => `Delete the collection ${name}`,
  confirmDelete: (name: string, files: number, isOfPage: boolean) => ({
    heading: `Delete the collection ${name}?`,
    words:
      files === 0
        ? 'It has no files. Answers of chats keep the passages that they show.'
        : `Its ${documentCount(files)} and the index are deleted from this site. ${isOfPage ? 'Your own files stay where they are' : 'A program or an earlier version of this page has made it: there may be no other copy of its files'}. Answers of chats keep the passages that they show.`,
    action: 'Delete',
  }),
  deleted: (name: string) => `The collection ${name} was deleted.`,
});
