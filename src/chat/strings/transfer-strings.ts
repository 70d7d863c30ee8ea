import { localized } from './page-language.ts';

export const exportStrings = localized('exportStrings', {
  fileOfAll: (day: string) => `tabserve-chats-${day}.json`,
  untitledFile: 'chat',
  question: 'Question',
  answer: (model: string) => `Answer (${model})`,
});

export const importStrings = localized('importStrings', {
  noJson: 'It is damaged, or no file of chats: it is not JSON.',
  otherFormat:
    'It is not a file of chats that is known here. Tabserve reads its own exports, those of ChatGPT (conversations.json, or the whole .zip) and those of Open WebUI.',
  otherVersion: 'A newer Tabserve has written it. Reload this page to get the newest one, and try again.',
  noChats: 'There is no chat in it.',
  noChatsInArchive: 'There is no conversations.json in this archive, where ChatGPT’s export has its chats.',
  brokenArchive: 'The archive is damaged. Download or copy it again.',
  tooLarge: (most: string) => `Its chats are larger than ${most}, which is more than this page can take in at once.`,
  noRoom: (added: number) =>
    `The browser has no room for ${added === 0 ? 'its chats' : `more of its chats than the first ${added}`}. Delete some here, or a model, and import it again.`,
  noRoomForPresets:
    'Its chats were imported, its presets were not: they are larger than the browser allows. Remove some presets here or in the file.',
  unreadable: 'It is nested too deeply, or damaged in another way that this page cannot read.',
  failed: (reason: string) => `The file could not be imported. ${reason}`,
  failedOf: (name: string, reason: string) => `${name} could not be imported. ${reason}`,
  moreFailed: (count: number) =>
    `${count === 1 ? 'One other file' : `${count} other files`} could not be imported either.`,
  untitled: 'Imported chat',

  added: (added: number, present: number) =>
    `${added === 1 ? 'One chat' : `${added} chats`} imported${present === 0 ? '' : `, ${present} already here`}.`,
  empty: (count: number) => `${count === 1 ? 'One chat was' : `${count} chats were`} left out: nothing is said there.`,
  damaged: (count: number) => `${count === 1 ? 'One chat was' : `${count} chats were`} left out as damaged.`,
  files: (count: number) =>
    `${count === 1 ? 'One picture or file was' : `${count} pictures and files were`} left behind.`,
  steps: (count: number) => `${count === 1 ? 'One step' : `${count} steps`} of tools left behind.`,
});
