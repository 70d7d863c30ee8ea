import { localized } from './page-language.ts';

export const toolStrings = localized('toolStrings', {
  title: 'Tools',
  on: (names: readonly string[]) =>
    `${names.length === 1 ? '1 tool' : `${names.length} tools`} of this chat: ${names.join(', ')}`,
  count: (count: number) => `${count} tools`,
  help: 'Each is off until you switch it on here. The model may then ask for it; you see what with, and allow it or not.',
  beyond: (model: string) => `${model} is too small to choose tools well: it calls them seldom, and sometimes wrongly.`,
  models: 'Get a model that can',
  names: {
    calculate: 'Calculator',
    current_time: 'Date and time',
    search_chats: 'Search in my chats',
    run_javascript: 'JavaScript',
  },
  helps: {
    calculate: 'Calculates exactly, which language models do not.',
    current_time: 'Tells the model what day and time it is here.',
    search_chats:
      'Gives the model passages of your other chats. If the model runs on a server, they leave this device.',
    run_javascript:
      'Runs a program that the model writes, apart from this page: it reaches no network, no chat and no file.',
  },

  calls: 'Tools that were asked for',
  asks: (tool: string) => `The model asks for: ${tool}`,
  unknown: (name: string) => `an unknown tool, “${name}”`,
  states: {
    writing: 'is being asked for',
    waiting: 'waits for you',
    elsewhere: 'waits for you in another tab',
    running: 'runs',
    done: 'done',
    failed: 'failed',
    refused: 'not allowed',
    left: 'was not run',
  },
  reads: {
    calculate: 'The calculator sees only these words.',
    current_time: 'The model learns the date, the time and your time zone.',
    search_chats:
      'This searches all your other chats. The model gets up to five passages with the titles and days of their chats; they become a part of this chat.',
    run_javascript: 'The program reaches no network, no chat and no file.',
  },
  stays:
    'The result goes to the model on this device. It becomes a part of this chat: if a server answers a later question of it, the result goes there too.',
  leaves: (name: string) => `The result leaves this device: it goes to ${name}, which answers this chat.`,
  once: 'Allow once',
  always: 'Always in this chat',
  refuse: 'Do not allow',
  given: 'It is given',
  hidden: 'It contains characters that are not drawn. They are written out, such as ⟨U+202E⟩.',
  result: 'Result',
  nothing: 'nothing',
});
