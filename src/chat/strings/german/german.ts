// Every German table under its English name. Loaded as one chunk, only for German.
export { appStrings, endpointStrings } from './app-strings.ts';
export { attachmentStrings } from './attachment-strings.ts';
export { benchStrings } from './bench-strings.ts';
export { contextStrings } from './context-window-strings.ts';
export { answerErrors, streamStrings } from './answer-errors.ts';
export { conversationStrings, destinationStrings, emptyStrings } from './conversation-strings.ts';
export { engineSentences } from './engine-sentences.ts';
export { developerStrings } from './developer-strings.ts';
export {
  allChatsStrings,
  appearanceStrings,
  dialogStrings,
  keyStrings,
  paletteStrings,
  settingsStrings,
  shortcutStrings,
} from './dialog-strings.ts';
export { documentStrings } from './document-strings.ts';
export { downloadStrings } from './download-strings.ts';
export { ggufStrings } from './gguf-strings.ts';
export { leakStrings } from './leak-strings.ts';
export { listStrings } from './list-strings.ts';
export {
  chatPartStrings,
  copyStrings,
  deletionStrings,
  listenAndCompareStrings,
  markdownStrings,
  messageStrings,
} from './message-strings.ts';
export { modelStrings } from './model-strings.ts';
export { offerStrings } from './offer-strings.ts';
export { offlineStrings } from './offline-strings.ts';
export { firstPresets, presetStrings } from './preset-strings.ts';
export { privacyStrings } from './privacy-strings.ts';
export { sourceStrings } from './source-strings.ts';
export { statusStrings } from './status-strings.ts';
export { temporaryStrings } from './temporary-strings.ts';
export { outsideLinkStrings } from './outside-link-strings.ts';
export { queueStrings } from './queue-strings.ts';
export { toolStrings } from './tool-strings.ts';
export { exportStrings, importStrings } from './transfer-strings.ts';
export {
  unsupportedReasons,
  unsupportedStrings,
  unsupportedTitles,
  webgpuCauses,
  webgpuSteps,
  webgpuTitles,
} from './unsupported-strings.ts';
export { upstreamStrings } from './upstream-strings.ts';
