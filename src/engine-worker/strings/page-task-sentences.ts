import type { EngineSentences, SentenceTable } from '../../shared/coded-sentence.ts';

/** Reasons why llama.cpp, or the browser's own model, does not run in a page. */
export const pageTaskSentences = {
  llamaCppWithoutPage: 'No open page of this site can run llama.cpp. Open one and try again.',
  llamaCppNotStarted: (script, complaint) =>
    `The browser did not start the worker for llama.cpp${complaint && ` (${complaint})`}. Open ${script}: the site must serve it (\`npx tabserve init --gguf\` and the Vite plugin's option gguf do), with the header Cross-Origin-Embedder-Policy if its pages have that, and allow it in the directive worker-src of its Content-Security-Policy.`,
  llamaCppSilent: (script, seconds) =>
    `The worker for llama.cpp (${script}) did not start within ${seconds} seconds. Try again; if that does not help, reload the page.`,
  llamaCppStuck: (seconds) =>
    `llama.cpp made no progress in loading the model for ${seconds} seconds, so it was stopped. Close other tabs and try again, or choose a smaller model.`,
  llamaCppRefused: (complaint) =>
    `llama.cpp could not load the model (${complaint}). Check the file, or choose another model.`,
  llamaCppRefusedEncoder: (complaint) =>
    `llama.cpp could not load the model with its image encoder, the file named as mmproj (${complaint}). Check that file, or add the model without it.`,
  llamaCppStopped: (complaint) =>
    `llama.cpp has stopped (${complaint}). Try again; if memory is short, choose a smaller model or context window.`,
  llamaCppLost: 'The page that ran llama.cpp was closed or frozen. Try again: another page will take over.',
  encoderOfOtherModel:
    'The image encoder (mmproj) belongs to another model: its vectors have another length than those of this one. Use the file that the publisher offers with this model, or add the model without it.',

  browserModelWithoutPage: "No open page of this site can use the browser's own model. Open one and try again.",
  browserModelSilent: (seconds) =>
    `No page accepted the request for the browser's own model within ${seconds} seconds. Try again; if that does not help, reload the page.`,
  browserModelFailed: (complaint) =>
    `The browser's own model has failed (${complaint}). Try again, or use another model.`,
  browserModelLost:
    "The page that used the browser's own model was closed or frozen. Try again: another page will take over.",
  browserModelNotOpened: (complaint) =>
    `The browser did not open its own model (${complaint}). If it must download it first, it does so only after a click on a page that calls LanguageModel.create().`,
} satisfies Partial<SentenceTable<EngineSentences>>;
