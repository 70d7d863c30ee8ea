import { localized } from './language.ts';

/** Words of the tools that a model may be given in a chat. */
export const toolStrings = localized('toolStrings', {
  title: 'Tools',
  help: 'Each is off until you switch it on here. The model may then ask for it; you see what with, and allow it or not.',
  names: {
    calculate: 'Calculator',
    current_time: 'Date and time',
    search_chats: 'Search in my chats',
    run_javascript: 'JavaScript',
  },
  helps: {
    calculate: 'Calculates exactly, which language models do not.',
    current_time: 'Tells the model what day and time it is here.',
    search_chats: 'Gives the model passages of your other chats, which stay on this device where the model does.',
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
  leaves: (name: string) => `The result goes to ${name}, which answers this chat.`,
  once: 'Allow once',
  always: 'Always in this chat',
  refuse: 'Do not allow',
  given: 'It is given',
  result: 'Result',
  nothing: 'nothing',
});
