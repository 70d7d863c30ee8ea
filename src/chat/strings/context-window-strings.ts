import { formatNumber } from './format.ts';
import { localized } from './page-language.ts';

/** Strings of the context window, and of continuing a chat that has filled it. */
export const contextStrings = localized('contextStrings', {
  share: (used: number, window: number) => `${formatNumber((100 * used) / window)}%`,
  use: (used: number, window: number) =>
    `${formatNumber(used)} of the ${formatNumber(window)} tokens that this model can take in at once`,
  nearlyFull: (share: number) =>
    `This chat takes up ${formatNumber(100 * share)}% of what its model can take in at once. When it is full, it gets no further answer.`,
  leftOut: 'The messages above are no longer sent to the model.',
  sendAgain: 'Send it again',
  words:
    'A model can only take in so much text at once. Once a chat is full, there are no more answers. How would you like to continue?',
  leaveOut: 'Here, without the first messages',
  leaveOutHelp:
    'They stay in this chat, but are no longer sent. As many of the last ones are sent as fill half of the room.',
  nothingFits: 'The last question alone is too long for the model. Shorten it.',
  summary: 'In a new chat, with a summary',
  summaryHelp: 'The model summarises the chat. It may leave out something important.',
  turns: 'In a new chat, with the last messages',
  turnsHelp: 'They are copied word for word, as many as fill a third of the room.',
  summing: 'Summarising',
  noSummary: 'The model gave no summary. Take the last messages with you instead.',
  promptCounts:
    'The system prompt in the settings of this chat counts too, and goes with it into a new one: it may have to be shorter.',
  cancel: 'Cancel',
  continued: (title: string) => `${title} (continued)`,
  summaryMessage: (summary: string) => `What we have talked about so far:\n\n${summary}`,
});

/** The prompt for a summary. Not translated: models follow it in chats of any language. */
export const summaryPrompt = (transcript: string) =>
  `Sum up this conversation in at most 150 words, in the language it is written in, so that it can be gone on with: what was asked, what was found, what is still open.\n\n${transcript}`;
