/** Sentences for the user about states that are not failures. */
export const statusStrings = {
  starting: 'Starting.',
  idle: 'Ready to load a model.',
  ready: (model: string) => `${model} is ready.`,
  onProcessor: 'It runs on the CPU.',
  keepsNothing:
    'This browser keeps nothing for this site at the moment: downloaded models, keys you made and the request log are not available.',
} as const;

/** For each `UnsupportedReason`: what is missing and what to do about it. `{page}` stands for the page's address. */
export const unsupportedStrings = {
  'no-window':
    'Tabserve runs in the pages of a site, and this script runs in none: call register() in a window, not on a server or in a worker.',
  'insecure-context':
    'This page, {page}, was opened over plain http or from a file. Service workers and WebGPU need a web server with a secure address: use https, or http://localhost, for which `npx tabserve serve` starts one.',
  'no-service-worker':
    'This browser does not let the page install a service worker. Leave the private window, or use a current Chrome, Edge, Firefox or Safari.',
  'no-webgpu':
    'This browser offers no graphics processor through WebGPU. Use a current Chrome or Edge (or Safari 26, or Firefox on Windows or an Apple-silicon Mac), switch on graphics acceleration in its settings, and restart it.',
} as const;
