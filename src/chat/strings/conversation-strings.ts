import type { Destination } from '../types/destination.ts';
import { localized } from './page-language.ts';

/** Strings of the conversation and its input field; `message-strings.ts` has those of parts that are loaded later. */
export const conversationStrings = localized('conversationStrings', {
  messages: 'Conversation',
  missing: 'This chat isn’t on this device. It may have been deleted.',
  unreadable:
    'The chats on this device could not be read. The page tries again: is the disk full, or this window private?',
  answerNotStored:
    'This answer could not be stored. It stays here while this page is open, and is stored as soon as the browser writes again. Is there room left on this device?',
  draftNotKept: 'The browser has no room to keep this text: it is lost if you leave or reload this page.',
  deleted: 'This chat was deleted meanwhile, so the question was not sent.',
  notStored: 'The chat could not be stored, so the question was not sent. Is there room left on this device?',
  jumpToEnd: 'Go to the end',

  placeholder: 'Ask a question',
  questionLabel: 'Your question',
  send: 'Send',
  queue: 'Send after this answer',
  queueHint: 'Press Enter to send this after the answer.',
  sendWithoutFiles: 'Send without the files',
  attach: 'Attach files',
  drop: 'Drop files here to attach them',
  choosing: 'Choosing the passages that fit…',
  stop: 'Stop',
  composerHint: 'Press Enter to send, Shift + Enter for a new line.',
  loading: 'Loading the model',
  cannotRun: 'No model can run here yet: see above.',
  model: 'Model',
  modelElsewhere: (id: string, name: string) => `${id} (${name})`,
  modelMissing: (model: string) => `${model} (not on this device)`,
  settings: 'Settings of this chat',

  answering: 'Answering',
});

export const emptyStrings = localized('emptyStrings', {
  title: 'A language model,\nin this tab.',
  words: 'What you ask stays on this device: the model runs in your own browser, and works offline.',
  ready: (model: string, place: string) => `${model} is running on ${place}`,
  processor: 'the CPU, not on a graphics processor',
  tryOne: 'Try asking',
  tryBuiltIn: 'Try asking Pocket',
  builtInQuestions: [
    'What is a service worker?',
    'What is 27 + 35?',
    'What is the capital of France?',
    'Tell me a story about Anna and a dog.',
  ],
  questions: [
    'Explain in simple words how a rainbow comes about.',
    'Write a friendly note that declines an invitation.',
    'Give me three ideas for a rainy Sunday with children.',
    'What should I ask before I rent a flat?',
  ],
});

/** Sentences about where the next question is sent, if not only to this device. */
export const destinationStrings = localized('destinationStrings', {
  title: (name: string) => `A language model,\non ${name}.`,
  goesTo: ({ name, host, isFallback }: Destination) =>
    isFallback ? `Goes to ${name} (${host}) if this device cannot answer` : `Goes to ${name} (${host})`,
  words: ({ name, host, isFallback }: Destination) =>
    isFallback
      ? `This device answers. What it cannot answer goes to ${name} (${host}) with the conversation before it, and whoever runs that server can read it.`
      : `What you ask goes to ${name} (${host}) with the conversation before it, and whoever runs that server can read it.`,
});
