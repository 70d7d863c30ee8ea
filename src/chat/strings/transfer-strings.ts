import { localized } from './page-language.ts';

export const exportStrings = localized('exportStrings', {
  fileOfAll: (day: string) => `tabserve-chats-${day}.json`,
  untitledFile: 'chat',
  question: 'Question',
  answer: (model: string) => `Answer (${model})`,
  thinking: 'Thinking',
  leftOut: (parts: string) => `Not in this file: ${parts}. The export as JSON has them.`,
  images: (count: number) => `${count} ${count === 1 ? 'image' : 'images'}`,
  branches: (count: number) => `${count} ${count === 1 ? 'message' : 'messages'} of other branches`,
});

export const importStrings = localized('importStrings', {
  noFile: 'It is empty.',
  brokenJson: 'It is damaged: it begins as JSON, but ends too early or has an error inside. Download or copy it again.',
  otherFormat:
    'It is not an export that this page knows. Tabserve reads its own exports (JSON and Markdown), and those of ChatGPT and Claude (conversations.json, or the whole .zip), LibreChat, Open WebUI, llama-server, LM Studio and Jan (JSON or JSON lines).',
  otherVersion: 'A newer Tabserve has written it. Reload this page to get the newest one, and try again.',
  noChats: 'There is no chat in it.',
  noChatsInArchive:
    'There are no chats in this archive that this page knows, such as the conversations.json of ChatGPT and Claude.',
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
  completed: (count: number) =>
    `${count === 1 ? 'One chat was' : `${count} chats were`} already here, and got the messages that were missing.`,
  empty: (count: number) => `${count === 1 ? 'One chat was' : `${count} chats were`} left out: nothing is said there.`,
  damaged: (count: number) => `${count === 1 ? 'One chat was' : `${count} chats were`} left out as damaged.`,
  unknown: (count: number) =>
    `${count === 1 ? 'One entry was' : `${count} entries were`} left out: this page does not know ${count === 1 ? 'its' : 'their'} form.`,
  leftOut: (parts: string) => `Left out: ${parts}.`,
  images: (count: number) => `${count} ${count === 1 ? 'image' : 'images'}`,
  audio: (count: number) => `${count} audio`,
  videos: (count: number) => `${count} ${count === 1 ? 'video' : 'videos'}`,
  files: (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`,
  sources: (count: number) => `${count} ${count === 1 ? 'citation' : 'citations'} without an address`,
  notes: (count: number) => `${count} hidden ${count === 1 ? 'message' : 'messages'}`,
  branches: (count: number) => exportStrings.branches(count),
  image: 'Image',
  imageNamed: (name: string) => `[Image: ${name}]`,
  fileNamed: (name: string) => `[File: ${name}]`,
});
