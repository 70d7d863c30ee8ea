import { localized } from './page-language.ts';

export const toolStrings = localized('toolStrings', {
  title: 'Tools',
  on: (names: readonly string[]) =>
    `${names.length === 1 ? '1 tool' : `${names.length} tools`} of this chat: ${names.join(', ')}`,
  count: (count: number) => `${count} tools`,
  help: 'All tools are off until you switch them on here. The model can then ask to use them; you see each request and decide.',
  beyond: (model: string) =>
    `${model} is too small to use tools well: it rarely calls them, and sometimes gets it wrong.`,
  models: 'Get a model that can',
  names: {
    calculate: 'Calculator',
    current_time: 'Date and time',
    search_chats: 'Search in my chats',
    run_javascript: 'JavaScript',
  },
  helps: {
    calculate: 'Gets sums exactly right, which language models often don’t.',
    current_time: 'Tells the model what day and time it is here.',
    search_chats:
      'Gives the model passages of your other chats. If the model runs on a server, they leave this device.',
    run_javascript:
      'Runs a program that the model writes, apart from this page: it reaches no network, no chat and no file.',
  },

  calls: 'Tool requests',
  asks: (tool: string) => `The model wants to use: ${tool}`,
  unknown: (name: string) => `an unknown tool, “${name}”`,
  states: {
    writing: 'preparing the request',
    waiting: 'waiting for you',
    elsewhere: 'waiting for you in another tab',
    running: 'running',
    done: 'done',
    failed: 'failed',
    refused: 'not allowed',
    left: 'not run',
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
  refuse: 'Don’t allow',
  given: 'Input',
  hidden: 'It contains invisible characters. They are written out, such as ⟨U+202E⟩.',
  result: 'Result',
  nothing: 'nothing',
});
