// Every German table under its English name. Loaded as one chunk, only for German.
export { appStrings, copyStrings, endpointStrings } from './app.ts';
export { attachmentStrings } from './attachments.ts';
export { benchStrings } from './bench.ts';
export { contextStrings } from './context-window.ts';
export { answerErrors } from './answer-errors.ts';
export { conversationStrings, destinationStrings, emptyStrings } from './conversation.ts';
export { engineSentences } from './engine-sentences.ts';
export { developerStrings } from './developers.ts';
export {
  allChatsStrings,
  dialogStrings,
  keyStrings,
  paletteStrings,
  settingsStrings,
  shortcutStrings,
} from './dialogs.ts';
export { ggufStrings } from './gguf.ts';
export { listStrings } from './list.ts';
export { listenAndCompareStrings, markdownStrings, messageStrings } from './messages.ts';
export { modelStrings } from './models.ts';
export { offerStrings } from './offer.ts';
export { offlineStrings } from './offline.ts';
export { firstPresets, presetStrings } from './presets.ts';
export { privacyStrings } from './privacy.ts';
export { statusStrings } from './status.ts';
export { temporaryStrings } from './temporary.ts';
export { queueStrings } from './queue.ts';
export { toolStrings } from './tools.ts';
export { exportStrings, importStrings } from './transfer.ts';
export {
  unsupportedReasons,
  unsupportedStrings,
  unsupportedTitles,
  webgpuCauses,
  webgpuSteps,
  webgpuTitles,
} from './unsupported.ts';
export { upstreamStrings } from './upstreams.ts';
