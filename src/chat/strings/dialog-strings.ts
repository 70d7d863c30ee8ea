import { localized, wordFor } from './page-language.ts';

export const dialogStrings = localized('dialogStrings', {
  cancel: 'Cancel',
  keep: 'Keep it',
  save: 'Save',
  dismiss: 'Close this note',
  shortcuts: 'Keyboard shortcuts',
});

export const settingsStrings = localized('settingsStrings', {
  title: 'Settings of this chat',
  systemPrompt: 'System prompt',
  systemPromptHelp: 'Tells the model who it is and how to answer. Sent before every question.',
  preset: 'Presets',
  presets: { own: 'Model’s own', exact: 'Exact', balanced: 'Balanced', inventive: 'Inventive' },
  sampling: 'How the model chooses its words',
  modelDefault: 'model’s own',
  modelDefaultOf: (value: number) => `model’s own (${value})`,
  temperature: 'Temperature',
  temperatureHelp: '0 to 2. 0 always takes the likeliest word.',
  topP: 'Top-p',
  topPHelp: '0 to 1. Leaves out the unlikely words.',
  maxTokens: 'Maximum length',
  maxTokensHelp: 'Most tokens of an answer. Empty: as many as the model can take in.',
  seed: 'Seed',
  seedHelp: 'A number makes answers repeatable. Empty: another one each time.',
  random: 'random',
  presencePenalty: 'Presence penalty',
  presencePenaltyHelp: '−2 to 2. Above 0: speaks of new things.',
  frequencyPenalty: 'Frequency penalty',
  frequencyPenaltyHelp: '−2 to 2. Above 0: repeats fewer words.',
  none: 'none',
  stop: 'Stop at',
  stopHelp: 'Up to four, one a line. An answer ends before the first that occurs.',
  tooManyStops: 'At most four texts to stop at.',
  format: 'Form of the answer',
  jsonSchema: 'JSON Schema',
  jsonSchemaHelp: 'If given, every answer is JSON that follows it, and no tools are used. Empty: free text.',
});

export const allChatsStrings = localized('allChatsStrings', {
  title: 'For all chats',
  instructions: 'Instructions',
  instructionsHelp:
    'What every model should know about you and how it should answer. Sent before the system prompt of a chat.',
  model: 'Model of new chats',
  lastModel: 'The one used last',
  modelHelp: 'Each chat can still change its own.',
  notStored: 'This could not be stored. Is there room left on this device?',
});

export const paletteStrings = localized('paletteStrings', {
  label: 'Actions and chats',
  placeholder: 'An action, or the name of a chat',
  none: 'Nothing is called that.',
  search: (words: string) => `Search the chats for “${words}”`,
});

type Shortcut = readonly [keys: readonly string[], words: string];

/** The keyboard help. On Apple's systems {@link showKey} shows `⌘` in place of Ctrl. */
export const shortcutStrings = localized('shortcutStrings', [
  [['Enter'], 'Send the question'],
  [['Shift', 'Enter'], 'New line'],
  [['Esc'], 'Stop the answer, or close what is open'],
  [['↑'], 'Edit the last question, from an empty field'],
  [['Ctrl', 'K'], 'Find any action or chat'],
  [['Ctrl', 'Shift', 'F'], 'Search the chats'],
  [['Ctrl', 'Alt', 'N'], 'New chat'],
  [['Ctrl', 'Alt', 'P'], 'Temporary chat'],
  [['Ctrl', '/'], 'Show these shortcuts'],
] satisfies Shortcut[]);

export const keyStrings = localized('keyStrings', {
  Enter: 'Enter',
  Shift: 'Shift',
  Esc: 'Esc',
  Ctrl: 'Ctrl',
  Alt: 'Alt',
});

const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '');

/** Returns the label of a key on this platform. */
export function showKey(key: string): string {
  if (key === 'Ctrl' && isApple) return '⌘';
  return wordFor(key, keyStrings) ?? key;
}
