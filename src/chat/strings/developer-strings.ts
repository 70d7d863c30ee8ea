import type { ExtensionStatus, PromptCacheUse } from '../../page/index.ts';
import { formatDate, formatMilliseconds, formatNumber } from './format.ts';
import { localized } from './page-language.ts';

export const developerStrings = localized('developerStrings', {
  title: 'For developers',
  introduction:
    'This page answers OpenAI’s protocol (chat completions, responses, embeddings) at an address of its own. Code on this origin calls it with fetch or with any client that takes a base address. What a model on this device reads and writes does not leave it.',

  baseUrl: 'Base address',
  bench: 'Measure the speed on this device',
  notices: 'Libraries that this page contains, and their licences',
  baseUrlNote:
    'Answered inside this browser, for pages and workers of this origin. For programs outside the browser there is the bridge: npm run bridge.',
  copyBaseUrl: 'Copy the base address',
  routes:
    'Serves /chat/completions, /responses, /completions, /embeddings, /tokenize, /detokenize and /models; /openapi.json describes them.',

  try: 'Try it',
  model: 'Model',
  key: 'Key',
  question: 'Question',
  defaultQuestion: 'What is WebGPU?',
  client: 'Client',
  clients: { fetch: 'fetch', openai: 'openai', 'ai-sdk': 'AI SDK', langchain: 'LangChain' },
  run: 'Run',
  stop: 'Stop',
  runNotes: {
    fetch: 'Runs exactly this request.',
    openai: 'Runs the request this client sends. The package itself is not part of this page.',
    'ai-sdk': 'Runs the request this client sends. The packages themselves are not part of this page.',
    langchain: 'Runs the request this client sends. The package itself is not part of this page.',
  },
  answer: 'Raw response',
  running: 'Running…',
  stopped: 'Stopped by you.',
  ended: (milliseconds: number) => `Ended after ${formatMilliseconds(milliseconds)}.`,
  networkFailed: 'No answer: the service worker does not control this page yet.',

  keys: 'Keys',
  keysNote:
    'Every page of this origin may use the key “local”. Make keys of your own to tell programs apart in the log, to let them use certain models only, and to end their access.',
  keyName: 'Name',
  keyNameHint: 'What the key is for',
  scope: 'Models it may use',
  everyModel: 'Every model, also later ones',
  someModels: 'Only these',
  makeKey: 'Create key',
  nameNeeded: 'Give the key a name so you can recognise it.',
  modelNeeded: 'Choose at least one model, or every model.',
  newKey: 'Copy it now: it is stored nowhere and will not be shown again.',
  newKeyLabel: 'The new key',
  copyKey: 'Copy the new key',
  done: 'I have copied it',
  usedAbove: 'The example above uses it until you leave this page.',
  noKeys: 'You have no keys of your own yet.',
  allModels: 'every model',
  made: (created: number) => `created ${formatDate(created)}`,
  revoke: 'Revoke',
  revokeOf: (name: string) => `Revoke the key ${name}`,
  confirmRevoke: (name: string) => ({
    heading: 'Revoke this key?',
    words: `Programs that use ${name} will be refused from now on.`,
    action: 'Revoke',
  }),
  revoked: (name: string) => `${name} is revoked.`,

  promptCache: ({ promptTokens, cachedTokens, off }: PromptCacheUse) =>
    off === null
      ? promptTokens === 0
        ? 'Prompt cache: no prompt since the model was loaded.'
        : `Prompt cache: ${formatNumber(cachedTokens)} of ${formatNumber(promptTokens)} prompt tokens (${Math.round((100 * cachedTokens) / promptTokens)} %) did not have to be read again since the model was loaded.`
      : `Every prompt is read whole: ${off}.`,
  extensions: (extensions: readonly ExtensionStatus[]) =>
    `Extensions of WebLLM: ${extensions
      .map(({ name, off }) => (off === null ? name : `${name} (off: ${off})`))
      .join(', ')}.`,

  log: 'Requests',
  logNote: 'The last 200 requests to this endpoint, from every tab. Kept on this device only, without keys.',
  keepContent: 'Also keep questions and answers',
  keepContentNote: 'Switching it off deletes those kept so far.',
  clear: 'Clear the log',
  logEmpty: 'No request yet.',
  requestFacts: {
    time: 'Time',
    key: 'Key',
    model: 'Model',
    server: 'Answered by',
    tokens: 'Tokens in and out',
    speed: 'Speed',
    duration: 'Took',
    id: 'Id',
  },
  noKey: 'none accepted',
  tokens: (prompt: number, completion: number) => `${formatNumber(prompt)} + ${formatNumber(completion)}`,
  speed: (tokensPerSecond: number) => `${formatNumber(tokensPerSecond, 1)} tokens/s`,
  duration: formatMilliseconds,
  outcomes: { complete: 'complete', cancelled: 'cancelled' },
  streamed: 'streamed',
  request: 'Request',
  response: 'Answer',
});
