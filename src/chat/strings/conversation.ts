import type { ApiErrorCode } from '../../shared/api-error.ts';
import type { Answer } from '../types/conversation.ts';
import type { Destination } from '../types/destination.ts';
import { localized, wordFor } from './language.ts';

/** Strings of the conversation and its input field; those of messages are in `messages.ts`. */
export const conversationStrings = localized('conversationStrings', {
  messages: 'Conversation',
  question: 'You asked',
  answer: (model: string) => `${model} answered`,
  missing: 'This chat is not on this device. It may have been deleted.',
  unreadable:
    'The chats on this device could not be read. Private windows and full disks can cause this; reload the page to try again.',
  notStored: 'The chat could not be stored, so the question was not sent. Is there room left on this device?',
  export: 'Export this chat as Markdown',
  jumpToEnd: 'Go to the end',

  placeholder: 'Ask something',
  questionLabel: 'Your question',
  send: 'Send',
  attach: 'Attach files',
  drop: 'Drop files here to attach them',
  choosing: 'Choosing the passages that fit…',
  stop: 'Stop',
  composerHint: 'Enter sends, Shift + Enter starts a new line.',
  loading: 'Loading the model',
  cannotRun: 'No model can run here yet: see above.',
  model: 'Model',
  displaces: (model: string, loaded: string) =>
    `This chat asks ${model}. Your next question loads it in place of ${loaded}, which is loaded now.`,
  useModel: (model: string) => `Use ${model} here`,
  modelElsewhere: (id: string, name: string) => `${id} (${name})`,
  modelMissing: (model: string) => `${model} (not on this device)`,
  settings: 'Settings of this chat',
  schemaNoJson: (reason: string) => `This is not JSON: ${reason}`,
  schemaNoObject: 'A JSON Schema is an object, such as {"type": "object"}.',
  brokenSchema: (problem: string) =>
    `Nothing was asked: the JSON Schema in the settings of this chat is broken. ${problem} Correct it there, or empty it, and ask again.`,

  deleteMessageTitle: 'Delete this message?',
  deleteMessageWords: 'It and everything after it on this branch will be gone.',
  delete: 'Delete',

  stopped: 'You stopped this answer.',
  failed: 'The answer failed.',
  answering: 'Answering',
  answered: 'The answer is complete.',
});

/** What an error means to the user, and what to do. The endpoint's own message is shown below. */
export const answerErrors = localized('answerErrors', {
  model_not_found: 'This model is not on this device. Choose another one below, or download it under Models.',
  model_load_failed: 'The model could not be loaded.',
  upstream_not_allowed: 'Another server would answer this. Allow it under Privacy, or choose another model below.',
  model_loading: 'The model is still loading. Try again in a moment.',
  model_not_loaded: 'No model is loaded. Choose one under Models.',
  gpu_unavailable: 'The graphics processor cannot be used by this browser, so no model can run.',
  gpu_device_lost:
    'The graphics processor was reset, and the model is loading again. Try once more; if that does not help, reload the page.',
  engine_unavailable: 'The model stopped answering. Try again; if that does not help, reload the page.',
  reload_required: 'This page lost its connection to the model. Reload it.',
  engine_timeout: 'The model took too long to say anything. Try again, or choose a smaller model.',
  rate_limit_exceeded: 'Too many questions are waiting for the model. Try again in a moment.',
  context_length_exceeded:
    'This conversation is longer than the model can take in. Start a new chat, or edit an earlier question to branch off there.',
  internal_error: 'Something went wrong inside this page. Try again.',
} satisfies Partial<Record<ApiErrorCode, string>>);

export function explainError(code: ApiErrorCode): string {
  return wordFor(code, answerErrors) ?? conversationStrings.failed;
}

export const emptyStrings = localized('emptyStrings', {
  title: 'A language model,\nin this tab.',
  words: 'What you ask stays on this device: the model runs on your own graphics processor, and works offline.',
  demonstration:
    'The built-in model, Pocket, is a small demonstration: it proves that all of this works and knows little. For real questions, download a larger model.',
  getModel: 'See the models',
  ready: (model: string, gpu: string) => `${model} is ready on ${gpu}`,
  tryOne: 'Questions to begin with',
  tryPocket: 'Questions Pocket can answer',
  pocketQuestions: [
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

/** Where the next question goes if that is not this device alone. */
export const destinationStrings = localized('destinationStrings', {
  title: (name: string) => `A language model,\non ${name}.`,
  goesTo: ({ name, host, isFallback }: Destination) =>
    isFallback ? `Goes to ${name} (${host}) if this device cannot answer` : `Goes to ${name} (${host})`,
  words: ({ name, host, isFallback }: Destination) =>
    isFallback
      ? `This device answers. What it cannot answer goes to ${name} (${host}) with the conversation before it, and whoever runs that server can read it.`
      : `What you ask goes to ${name} (${host}) with the conversation before it, and whoever runs that server can read it.`,
});

/** How an answer ended, for screen readers. */
export function outcomeOf({ state, error }: Pick<Answer, 'state' | 'error'>): string {
  if (error !== null) return explainError(error.code);
  return state === 'stopped' ? conversationStrings.stopped : conversationStrings.answered;
}
