import { formatBytes, formatCount, formatDuration, formatNumber, formatSpeed } from './format.ts';
import { localized } from './page-language.ts';

/** An estimated speed in words; 0 means less than half a token per second. */
function speedHere(tokensPerSecond: number): string {
  if (tokensPerSecond < 1) return 'less than a token a second';
  return `about ${formatNumber(tokensPerSecond)} ${tokensPerSecond === 1 ? 'token' : 'tokens'} a second`;
}

export const modelStrings = localized('modelStrings', {
  title: 'Models',
  introduction:
    'Models run on this device: on its graphics processor or, more slowly, on its CPU. You download a model once; after that, it works offline.',

  answering: (id: string) => `${id} is in use`,
  answeringOn: (gpu: string) => `on ${gpu}`,
  answeringOnProcessor: 'on the CPU, not on a graphics processor; larger models are slow there',
  nothingLoaded: 'No model is loaded. Your next question will load one.',
  loadingNow: (id: string, percent: number) => `Loading ${id}: ${percent}%`,
  unload: 'Unload',
  unloadHint: 'Frees its memory',

  storage: 'Storage',
  storageUse: (models: number, used: number) => `Models use ${formatBytes(models)} of ${formatBytes(used)} in total.`,
  storageFree: (free: number, quota: number) =>
    `${formatBytes(free)} free of the ${formatBytes(quota)} that the browser allows this site.`,
  storageLabel: 'Share of the storage in use',
  persisted: 'The browser keeps these files until you delete them.',
  notPersisted: 'If the disk fills up, the browser may delete these files.',
  persist: 'Ask the browser to keep them',
  persistDenied: 'The browser declined. It usually agrees for sites that you install or visit often.',

  suggestions: 'For this device',
  /** @param memory In GiB. */
  chosenFor: (memory: number | null) =>
    memory === null
      ? 'Chosen for its graphics processor. This browser hides how much memory there is; if a model fails to load, try a smaller one.'
      : `Chosen for its graphics processor and its memory (${memory} GB or more).`,
  chosenForProcessor:
    'No graphics processor was found, or the CPU simulates one; larger models would take seconds per word. These run on the CPU.',
  nothingSuits: 'No larger model is sure to run at a usable speed here. The built-in one does.',
  suggestion: (role: string, name: string) => `${role}: ${name}`,
  roles: { fast: 'Fast', balanced: 'Balanced', best: 'Most capable' },
  strengths: {
    fluent: 'Writes fluently but knows little. Good for small talk and a first try.',
    short: 'Small. Good for short texts and simple questions; knows little.',
    thinks: 'Thinks before it answers. Good for questions with a few steps, and many languages.',
    texts: 'Good for summaries, rewriting and everyday questions.',
    writes: 'Good for explaining and for writing texts of some length.',
    reasons: 'Good for hard questions, mathematics, code and many languages; thinks before it answers.',
  },
  /** @param time See `takesTime`; null if it is not known. */
  takes: (download: string, time: string | null, memory: string | null, onProcessor: boolean) => [
    `Download: ${download}${time === null ? '' : `, ${time}`}`,
    ...(memory === null ? [] : [`${onProcessor ? 'memory' : 'graphics memory'}: ${memory}`]),
  ],
  takesTime: (seconds: number, isMost: boolean) => `${isMost ? 'at most' : 'about'} ${formatDuration(seconds)}`,
  writes: (tokensPerSecond: number) => `Writes ${speedHere(tokensPerSecond)} here.`,
  expectedSpeed: (tokensPerSecond: number) => speedHere(tokensPerSecond),
  speedsAreEstimates: 'The speeds are estimates from a short measurement on this device.',
  isHere: 'On this device',
  chat: 'Chat',
  chatWith: (name: string) => `Chat with ${name}`,
  downloadAndChat: 'Download and chat',
  downloadAndChatOf: (name: string) => `Download and chat: ${name}`,

  onDevice: 'On this device',
  catalogue: 'More models',
  search: 'Search',
  searchHint: 'Name, family or licence',
  family: 'Family',
  everyFamily: 'All families',
  ability: 'Abilities',
  abilities: {
    any: 'Any',
    thinking: 'Thinking',
    images: 'Images',
    embedding: 'Embeddings',
  },
  order: 'Order',
  orders: { family: 'By family', smallest: 'Smallest first', largest: 'Largest first', name: 'By name' },
  fit: 'Show',
  fits: { suits: 'What suits this device', 'may-run': 'Also slow or doubtful ones', all: 'Everything' },
  showMore: (count: number) => `Show ${count} more`,
  familySize: (count: number) => `${count} ${count === 1 ? 'package' : 'packages'}`,
  sizes: (least: string, most: string) => (least === most ? least : `${least} to ${most}`),
  found: (shown: number, all: number) => `${shown} of ${all} models`,
  noneFound: 'No model matches. Widen the search, or choose “Everything” under “Show”.',

  origins: { 'built-in': 'Built in', custom: 'Added by you', catalogue: '' },
  /** Badges; the keys are those of `Fitness`. */
  fitness: {
    suits: 'Suits this device',
    slow: 'Slow here',
    tight: 'May not run here',
    doubtful: 'May not run here',
    no: 'Cannot run here',
  },
  fitnessRemarks: {
    suits: '',
    slow: 'It would write more slowly than people speak.',
    tight: 'It would take most of this device’s memory.',
    doubtful: '',
    no: '',
  },
  answersNow: 'In use',
  /** Badge of a loaded embedding model. */
  loadedNow: 'Loaded',
  facts: {
    parameters: 'Parameters',
    quantization: 'Weights',
    memory: 'Graphics memory',
    mainMemory: 'Memory',
    speed: 'Speed here',
    download: 'Download',
    size: 'On disk',
    context: 'Context',
    library: 'Library',
    licence: 'Licence',
    ability: 'Also',
    id: 'Id',
    checksum: 'SHA-256',
  },
  parameters: (count: number) => formatCount(count),
  tokens: (count: number) => `${formatNumber(count)} tokens`,
  subgroups: 'for subgroups, which are faster',
  window: 'Context window',
  /** @param bytes Memory of the model with this window. */
  windowSize: (tokens: number, bytes: number | null) =>
    bytes === null
      ? `${formatNumber(tokens)} tokens`
      : `${formatNumber(tokens)} tokens\u00a0· ${formatBytes(bytes)} of memory`,
  windowNote:
    'How much of a chat and its files the model takes in at once. A change takes effect with the next question, which loads the model again.',
  parallel: 'Questions at once',
  /** @param bytes Memory that the further ones take; null if unknown. */
  requests: (requests: number, bytes: number | null) =>
    requests === 1 || bytes === null
      ? formatNumber(requests)
      : `${formatNumber(requests)}\u00a0· ${formatBytes(bytes)} more memory`,
  parallelNote:
    'How many chats, tabs and programs the model answers side by side; further ones wait. Each question takes memory for a context window of its own.',
  keepAlive: 'When unused',
  keepAliveTime: (seconds: number) =>
    seconds < 0
      ? 'stays loaded'
      : seconds === 0
        ? 'is unloaded after each answer'
        : `is unloaded after ${formatDuration(seconds)}`,
  keepAliveNote: 'Unloading frees the memory. The next question then waits until the model is loaded again.',
  thinking: 'thinks before it answers',
  images: 'sees images',
  embedding: 'compares texts by meaning, for search; writes nothing',
  continues: 'continues text; not made for chat',
  ranks: 'orders texts by what a query asks, for search; writes nothing',
  unknown: 'unknown',
  unknownLicence: 'see its page',
  page: 'Page',
  pageOf: (id: string) => `Page about ${id} (another site)`,
  about: (size: string) => `about ${size}`,
  asking: 'Contacting the server…',
  offline: 'You are offline. Nothing was downloaded; try again when you are back online.',
  askRoom: (name: string, bytes: number, free: number) => ({
    heading: `Not enough room for ${name}`,
    words: `It takes ${formatBytes(bytes)}, and the browser has ${formatBytes(free)} left for this site. Nothing was downloaded. Delete models that you do not need, or choose a smaller one.`,
    action: 'Show what is on this device',
  }),
  askLarger: (name: string, bytes: number, said: number | null) => ({
    heading: `Download ${name}?`,
    words:
      said === null
        ? `Its server says that it takes ${formatBytes(bytes)}.`
        : `Its server says that it takes ${formatBytes(bytes)}, more than the ${formatBytes(said)} that were expected.`,
    action: 'Download',
  }),
  builtInNote: 'Built into this page; nothing to download.',
  ready: 'Downloaded. Works offline.',
  missing: (files: readonly string[]) =>
    `The browser has deleted ${files.length === 1 ? files[0] : `${files.length} files`} of it. Repair fetches only what is missing.`,

  download: 'Download',
  downloadOf: (id: string) => `Download ${id}`,
  keepOffline: 'Keep for offline use',
  repair: 'Repair',
  repairOf: (id: string) => `Repair ${id}`,
  load: 'Load',
  loadOf: (id: string) => `Load ${id}`,
  loading: 'Loading…',
  loadingOf: (id: string) => `Loading… ${id}`,
  pause: 'Pause',
  pauseOf: (id: string) => `Pause the download of ${id}`,
  resume: 'Resume',
  resumeOf: (id: string) => `Resume the download of ${id}`,
  retry: 'Try again',
  retryOf: (id: string) => `Try again to download ${id}`,
  cancel: 'Cancel',
  cancelOf: (id: string) => `Cancel the download of ${id}`,
  delete: 'Delete',
  deleteOf: (id: string) => `Delete ${id}`,
  confirm: {
    delete: (id: string) => ({
      heading: 'Delete this model?',
      words: `The files of ${id} will be gone from this device.`,
      action: 'Delete',
    }),
    cancel: (id: string) => ({
      heading: 'Cancel this download?',
      words: `What you have downloaded of ${id} will be gone.`,
      action: 'Delete',
    }),
  },

  phases: {
    preparing: 'Reading the list of files',
    downloading: 'Downloading',
    paused: 'Paused',
    failed: 'Stopped',
    offline: 'Waiting for the network',
  },
  /** Empty if nothing has arrived and the total is unknown. */
  progress: (received: number, total: number | null) =>
    total === null
      ? received === 0
        ? ''
        : formatBytes(received)
      : `${formatBytes(received)} of ${formatBytes(total)}`,
  speed: (bytesPerSecond: number) => formatSpeed(bytesPerSecond),
  left: (seconds: number) => `${formatDuration(seconds)} left`,
  progressOf: (id: string) => `Download of ${id}`,
  failures: {
    network: 'The connection was lost. What you have downloaded is kept; resume when you are back online.',
    http: 'Its server is not sending it right now. What you have downloaded is kept; try again later, or choose another model.',
    quota:
      'This device has no room left for it. What you have downloaded is kept; delete a model that you do not need, then resume.',
    storage: 'The browser could not store it. What you have downloaded is kept; free up some space, then resume.',
    size: 'The download does not match what its publisher lists, so it is not used. Try again, or choose another model.',
    integrity:
      'The download does not match what its publisher lists, so it is not used. Try again, or choose another model.',
    content: 'There is something other than a model at its address. Check the address, or choose another model.',
    unreadable: 'The file can no longer be read. Choose the same file once more; what has been copied is kept.',
    internal: 'Something went wrong. Trying again may help.',
  },
  /** In place of those of {@link failures} that promise that something is kept, if nothing has arrived. */
  failuresAtStart: {
    network: 'The connection was lost before anything arrived. Resume when you are back online.',
    http: 'Its server is not sending it right now. Try again later, or choose another model.',
    quota: 'This device has no room left for it. Delete a model that you do not need, then resume.',
    storage: 'The browser could not store it. Free up some space, then resume.',
    unreadable: 'The file can no longer be read. Choose the same file once more.',
  },
  arrived: (id: string) => `${id} is on this device.`,

  downloads: 'Downloads of models',
  details: 'Details',
  dismiss: 'Close this notice',
  newChatsAsk: 'New chats will use it.',
  tryIt: (question: string) => `Try: ${question}`,
  firstQuestion: 'Explain in simple words how a rainbow comes about.',
  /** Questions that show what a model of each strength can do. */
  firstQuestions: {
    fluent: 'Tell me something nice about Sundays.',
    short: 'Write a friendly note that declines an invitation.',
    thinks: 'A train leaves at 9:40 and takes 2 hours and 35 minutes. When does it arrive?',
    texts: 'Say in simple words: “Pursuant to our agreement, payment is due forthwith.”',
    writes: 'Write a bedtime story about a lighthouse and a whale.',
    reasons: 'Three friends share 42 euros. Each gets twice as much as the one before. How much does each get?',
  },
  chatsWhenHere: 'New chats will use it once it is downloaded.',

  addCustom: 'Add a model of your own',
  customNote:
    'Any package in WebLLM’s format with a library made for this version of it. The addresses must be allowed by this site’s Content-Security-Policy, which names these sources:',
  customName: 'Name',
  customNameHint: 'What programs put in the field “model”',
  customModelUrl: 'Address of the package',
  customModelUrlHint: 'The folder with mlc-chat-config.json',
  customLibraryUrl: 'Address of the library',
  customLibraryUrlHint: 'The .wasm file',
  customAdd: 'Add and download',
  customUnusable: 'There is nothing usable at this address. Correct it and try again; nothing was downloaded.',
  customAdded: (id: string) => `${id} is being downloaded; see above.`,

  unsupported:
    'Once this browser offers a graphics processor, this page will show which models can run here. The notice above says how.',
  listFailed: 'The list of models could not be loaded.',
  reading: 'Checking this device…',
});
