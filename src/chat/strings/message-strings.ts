import { formatNumber, formatSeconds } from './format.ts';
import { localized } from './page-language.ts';

/** Strings of questions and answers, whose elements are loaded lazily. */
export const messageStrings = localized('messageStrings', {
  question: 'You asked',
  answer: (model: string) => `${model} answered`,
  stopped: 'You stopped this answer.',
  failed: 'The answer failed.',
  answered: 'The answer is complete.',
  edit: 'Edit the question',
  unfold: 'Show all of it',
  fold: 'Show less',
  editLabel: 'Edit your question',
  editSend: 'Send',
  cancel: 'Cancel',
  copyQuestion: 'Copy the question',
  copyAnswer: 'Copy the answer',
  regenerate: 'Ask again',
  continue: 'Continue',
  makeRoom: 'Make room',
  retry: 'Try again',
  chooseAnswer: 'Go on with this answer',
  chosenAnswer: 'The chat goes on with this answer',
  lastAnswer: (action: string) => `Last answer: ${action}`,
  messageMenu: 'More actions',
  deleteMessage: 'Delete from here',
  openModels: 'Open Models',

  branch: (index: number, count: number) => `Version ${index} of ${count}`,
  previousBranch: 'Previous version',
  nextBranch: 'Next version',

  thinking: 'Thinking',
  thinkingFor: (milliseconds: number) => `Thinking for ${formatSeconds(milliseconds)}`,
  thought: 'Thought before answering',
  thoughtFor: (milliseconds: number) => `Thought for ${formatSeconds(milliseconds)}`,
  waiting: 'Waiting for the model',
  reading: (tokens: number, milliseconds: number) =>
    `Waiting for the model: ${formatNumber(tokens)} tokens read in ${formatSeconds(milliseconds)}`,
  catchingUp: 'Picking up where the answer stopped',
  stuck: 'The model kept repeating itself, so the answer was stopped.',
  filtered: 'A content filter of the server ended this answer.',
  cutByServer: 'The answer ends here because it has reached the server’s limit of length.',
  emptyAnswer: 'The model gave an empty answer.',
  interrupted: 'This answer was interrupted when its page was closed or reloaded.',
  cutByLimit: (limit: number) => `The answer reached its limit of ${formatNumber(limit)} tokens.`,
  cutByWindow: 'The answer ends here because the model can take in no more text. Make room to go on.',

  tokens: (count: number) => `${formatNumber(count)} ${count === 1 ? 'token' : 'tokens'}`,
  speed: (tokensPerSecond: number) => `${formatNumber(tokensPerSecond, 1)} tokens/s`,
  firstToken: (milliseconds: number) =>
    `first word after ${formatNumber(milliseconds / 1000, milliseconds < 10_000 ? 1 : 0)} s`,
  figures: 'Details of this answer',
});

/** Asks before a message is deleted. */
export const deletionStrings = localized('deletionStrings', {
  heading: 'Delete this message?',
  words: 'It and everything after it on this branch will be gone.',
  action: 'Delete',
});

export const markdownStrings = localized('markdownStrings', {
  code: 'code',
  codeIn: (language: string) => (language === 'code' ? 'Code' : `Code in ${language}`),
  copy: 'Copy',
  copyCode: 'Copy this code',
  hiddenCharacter: (code: string) => `An invisible character: ${code}`,
  table: 'Table',
  formula: 'Formula',
  image: (description: string) => `Image: ${description}`,
  alerts: { note: 'Note', tip: 'Tip', important: 'Important', warning: 'Warning', caution: 'Caution' },
});

/** Strings for reading an answer aloud and for asking another model the same question. */
export const listenAndCompareStrings = localized('listenAndCompareStrings', {
  askAnother: 'Ask another model too',
  askModel: (model: string) => `Ask ${model} too`,
  readAloud: 'Read aloud',
  stopReading: 'Stop reading aloud',
});

export const copyStrings = localized('copyStrings', {
  copied: 'Copied',
  failed: 'The browser did not allow copying',
});

/** Strings of the parts of a chat that are loaded after it is rendered. */
export const chatPartStrings = localized('chatPartStrings', {
  rename: 'Rename this chat',
  export: 'Export this chat as Markdown',
  displaces: (model: string, loaded: string) =>
    `This chat asks ${model}. Your next question loads it in place of ${loaded}, which is loaded now.`,
  useModel: (model: string) => `Use ${model} here`,
});
