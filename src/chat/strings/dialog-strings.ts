import { localized, wordFor } from './page-language.ts';

export const dialogStrings = localized('dialogStrings', {
  cancel: 'Cancel',
  keep: 'Keep',
  save: 'Save',
  dismiss: 'Dismiss',
  shortcuts: 'Keyboard shortcuts',
  discard: {
    heading: 'Discard your changes?',
    words: 'What you have changed here is not saved.',
    action: 'Discard',
  },
});

export const settingsStrings = localized('settingsStrings', {
  title: 'Settings of this chat',
  systemPrompt: 'System prompt',
  systemPromptHelp: 'Tells the model who it is and how to answer. Sent before every question.',
  preset: 'Presets',
  presets: { own: 'Model default', exact: 'Exact', balanced: 'Balanced', inventive: 'Inventive' },
  sampling: 'Word choice',
  modelDefault: 'model default',
  modelDefaultOf: (value: number) => `model default (${value})`,
  temperature: 'Temperature',
  temperatureHelp: '0 to 2. At 0, the model always picks the likeliest word.',
  topP: 'Top-p',
  topPHelp: '0 to 1. Lower values rule out unlikely words.',
  maxTokens: 'Maximum length',
  maxTokensHelp: 'In tokens. Leave empty for as much as the model can handle.',
  seed: 'Seed',
  seedHelp: 'The same number gives the same answer. Leave empty for a new one each time.',
  random: 'random',
  presencePenalty: 'Presence penalty',
  presencePenaltyHelp: '−2 to 2. Above 0, the model brings up new topics.',
  frequencyPenalty: 'Frequency penalty',
  frequencyPenaltyHelp: '−2 to 2. Above 0, the model repeats itself less.',
  none: 'none',
  stop: 'Stop at',
  stopHelp: 'Up to four texts, one per line. The answer ends just before any of them.',
  tooManyStops: 'Enter at most four texts.',
  advanced: 'Advanced',
  jsonSchema: 'JSON Schema',
  jsonSchemaHelp:
    'If set, every answer is JSON that follows this schema, and no tools are used. Leave empty for plain text.',
  schemaNoJson: (reason: string) => `This is not JSON: ${reason}`,
  schemaNoObject: 'A JSON Schema is an object, such as {"type": "object"}.',
  brokenSchema: (problem: string) =>
    `Nothing was asked: the JSON Schema in the settings of this chat is broken. ${problem} Correct it there, or empty it, and ask again.`,
});

export const allChatsStrings = localized('allChatsStrings', {
  title: 'For all chats',
  instructions: 'Instructions',
  instructionsHelp:
    'What every model should know about you and how it should answer. Sent before the system prompt of a chat.',
  model: 'Model of new chats',
  lastModel: 'The last one used',
  modelHelp: 'You can still choose another model in each chat.',
  notStored: 'This could not be stored. Is there room left on this device?',
});

export const paletteStrings = localized('paletteStrings', {
  label: 'Actions and chats',
  placeholder: 'Search actions and chats',
  none: 'No matches.',
  search: (words: string) => `Search the chats for “${words}”`,
});

type Shortcut = readonly [keys: readonly string[], words: string];

/** The keyboard help. On Apple's systems {@link showKey} shows `⌘` in place of Ctrl. */
export const shortcutStrings = localized('shortcutStrings', [
  [['Enter'], 'Send the question'],
  [['Shift', 'Enter'], 'New line'],
  [['Esc'], 'Stop the answer or close a dialog'],
  [['↑'], 'Edit your last question (when the field is empty)'],
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

/** The choice of the colours in the menu and the palette. */
export const appearanceStrings = localized('appearanceStrings', {
  title: 'Appearance',
  schemes: { system: 'Same as system', light: 'Light', dark: 'Dark' },
});
