import { ANSWER_LIMITS } from '../../shared/storage/answers-to-evict.ts';
import { formatBytes } from './format.ts';
import { localized } from './page-language.ts';

export const privacyStrings = localized('privacyStrings', {
  title: 'Privacy',
  introduction:
    'Chats, keys and the log are stored in this browser. There is no account, no telemetry, no font or script from elsewhere.',
  /** @param servers Hosts of the upstreams that may answer or have answered. */
  asked: (servers: readonly string[]) =>
    servers.length === 0
      ? 'This page sends your questions and the answers to no server: the model runs in this browser.'
      : `You have allowed servers to answer: ${servers.join(', ')}. What such a server is to answer leaves this browser, with the conversation before it. Such requests are listed below.`,

  outside: 'What has left this origin',
  outsideNote:
    'What the browser itself has recorded since each was started: requests by the page, by the engine that downloads models, and by the service worker. Browsers record here neither WebRTC and WebSocket connections nor the look-up of names, nor what their extensions send.',
  looking: 'Looking…',
  outsideNone: 'The browser has recorded no request to another address.',
  outsideNoneYet: 'No request to another address is known so far.',
  outsideSome: (count: number, hosts: number) =>
    `${count} ${count === 1 ? 'request' : 'requests'} to ${hosts} ${hosts === 1 ? 'host' : 'hosts'}, each listed here. Those to servers that you have allowed are also listed above, with their size.`,
  sources: { page: 'page', engine: 'engine', 'service-worker': 'service worker' },
  unseen: 'The engine or the service worker could not be asked yet, so the list may be incomplete.',
  again: 'Check again',

  policy: 'The rule the browser enforces',
  policyNote:
    'The server sent this Content-Security-Policy with the page. The browser applies it to what the page and its scripts load, frame, submit or request, also if a script of our own or an answer of the model is at fault. It does not apply to links that you follow, to WebRTC, to the look-up of names, or to extensions of the browser.',
  policyAdded:
    'The server sent no Content-Security-Policy: this site’s service worker adds this one to the page and the engine, from the second visit on. The browser then applies it to what they load, frame, submit or request. It does not bind the service worker itself, as a header of the server would. Whoever runs this site should send one: see the documentation on hosting.',
  policyMissing:
    'The server sent no Content-Security-Policy with this page. Whoever runs this site should: see the documentation on hosting.',
  strict:
    'Strict: the rule names no other host. Models come from this site or from your disk, and adding one from elsewhere is refused before a request is sent.',
  policyInHtml:
    'This Content-Security-Policy is written into the page itself, so the browser applies it to the page and its scripts. It does not bind the engine, which downloads models, nor the service worker: only headers of the server do.',
  directives: {
    'default-src': 'what no other line names',
    'script-src': 'scripts',
    'worker-src': 'workers',
    'style-src': 'styles',
    'img-src': 'pictures',
    'font-src': 'fonts',
    'manifest-src': 'the app manifest',
    'connect-src': 'requests: this site and where models are downloaded from',
    'base-uri': 'changed base addresses',
    'form-action': 'forms',
    'frame-ancestors': 'pages that may frame this one',
  },

  stored: 'What is stored here',
  storedNote: 'All of it lies in this browser’s storage for this site.',
  totals: (used: number, quota: number) =>
    Number.isFinite(quota)
      ? `${formatBytes(used)} in all, of ${formatBytes(quota)} the browser allows this site.`
      : `${formatBytes(used)} in all.`,
  caches: {
    'webllm/model': 'Weights and tokenizers of models',
    'webllm/config': 'Configurations of models',
    'webllm/wasm': 'Libraries of models',
    'tabserve/gguf': 'GGUF models',
    'tabserve/llama-cpp': 'The program that runs GGUF models',
    'tabserve/partial': 'Beginnings of unfinished downloads',
  },
  precache: 'The page itself, for offline use',
  otherCache: 'Other files of this site',
  databases: {
    tabserve: 'Keys (as checksums), models, downloads, request log',
    'tabserve-chat': 'Chats and settings, and the index for searching chats',
    'tabserve-drafts': 'Unsent texts, and questions that wait for an answer',
    'tabserve-files': 'Files that wait for the next question of a chat',
    'tabserve-folders': 'Folders of collections, to check them for changes',
    'tabserve-answers': 'Stored answers',
    'tabserve-documents': 'Files of collections and of programs that use the endpoint, and their indexes for searching',
    'tabserve-hub': 'If this site is a hub: the sites that asked for its models, and how much they used',
    'tabserve-upstreams': 'Servers you have allowed, with their keys, and what was sent to them',
  },
  otherDatabase: 'Other data of this site',
  entries: (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`,
  cache: 'cache',
  database: 'database',

  answers: {
    title: 'Stored answers',
    note: () =>
      `Answers that this browser keeps for programs, with their questions, so that they can be read again or continued (“store”). This browser keeps them for ${ANSWER_LIMITS.days} days; of more than ${ANSWER_LIMITS.count}, or ${formatBytes(ANSWER_LIMITS.characters)}, the oldest go. The chats of this page are not among them.`,
    total: (count: number, characters: number) =>
      count === 0
        ? 'None are stored.'
        : `${count} ${count === 1 ? 'answer' : 'answers'}, about ${formatBytes(characters)}.`,
    others: (count: number) => `And ${count} older ${count === 1 ? 'one' : 'ones'}.`,
    kinds: { 'chat.completion': 'chat completion', response: 'response' },
    delete: 'Delete',
    deleteOne: (time: string) => `Delete the answer of ${time}`,
    confirmOne: (time: string) => ({
      heading: `Delete the answer of ${time}?`,
      words: 'Programs that want to read or continue it will be told that it is not there.',
      action: 'Delete',
    }),
    deleteAll: 'Delete stored answers',
    confirm: {
      heading: 'Delete the stored answers?',
      words: 'Programs that want to read or continue one of them will be told that it is not there.',
      action: 'Delete stored answers',
    },
  },

  history: {
    title: 'The browser’s own history',
    note: 'The browser keeps the addresses and titles of what you open, and its account may carry them to your other devices. Of a chat these are a random number, its title, and the words that you searched for if you opened it from the search. No page can delete them: you can, in the browser’s settings.',
    neutral: 'From now on, keep titles of chats and searched words out of it',
  },

  leftover: 'Allowed earlier. Among the servers that this site names now, it was not found.',

  delete: 'Delete everything',
  deleteNote:
    'Chats, stored answers, keys, the log, every model and the stored page. Ends downloads, frees the graphics memory and removes the service worker. It cannot be undone; export your chats first if you want to keep them. What the browser’s own history has of your chats stays there.',
  confirm: {
    heading: 'Delete everything?',
    words:
      'All that this site has stored in this browser will be gone: chats, stored answers, keys, models and the page itself. Titles and addresses of chats stay in the browser’s own history.',
    action: 'Delete everything',
  },
  deleting: 'Deleting…',
  deleted: 'Everything has been deleted.',
  deletedNote:
    'This site no longer stores anything in this browser. The browser’s own history may still have titles and addresses of your chats; delete it in the browser’s settings. Close this tab, or start over.',
  startAnew: 'Start over',
  databaseKept: (name: string) => `The database ${name} could not be deleted.`,
  databaseInUse: (name: string) => `Another tab still uses ${name}.`,
  deleteFailed: (message: string) =>
    `Not everything could be deleted: ${message} Close other tabs of this site and try again.`,
});
