import { localized } from './page-language.ts';

export const presetStrings = localized('presetStrings', {
  use: (name: string) => `Preset: ${name}`,
  label: 'Preset',
  none: 'None',
  save: 'Save as a preset',
  name: 'Name of the preset',
  keep: 'Keep',
  delete: 'Delete this preset',
  forNewChats: 'Use for new chats',
  saved: (name: string) => `“${name}” was saved.`,
  deleted: (name: string) => `“${name}” was deleted.`,
  notStored: 'The preset could not be saved. Is there room left on this device?',
});

/** Names and system prompts of the built-in presets, by id. */
export const firstPresets = localized('firstPresets', {
  explain: {
    name: 'Explains simply',
    systemPrompt:
      'Explain things so that somebody without previous knowledge understands them. Use short sentences and everyday examples. Say so when you are not sure.',
  },
  edit: {
    name: 'Edits my text',
    systemPrompt:
      'You are a careful editor. Correct spelling, grammar and style of the text you are given, in its own language, and change its meaning nowhere. Answer with the corrected text first, then list the most important changes.',
  },
  code: {
    name: 'Helps with code',
    systemPrompt:
      'You are an experienced programmer. Answer with working code first and a short explanation after it. Name the assumptions you make, and point out errors in the code you are shown.',
  },
  ideas: {
    name: 'Collects ideas',
    systemPrompt:
      'Help to find ideas. Give a list of short suggestions that differ as much as possible from one another, the unusual ones too, and ask at the end which of them to work out.',
  },
});
