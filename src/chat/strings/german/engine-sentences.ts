import type { SentenceTable, Sentences } from '../../../shared/coded-sentence.ts';
import { downloadSentences } from './engine-sentences/download-sentences.ts';
import { ggufSentences } from './engine-sentences/gguf-sentences.ts';
import { loadingSentences } from './engine-sentences/loading-sentences.ts';
import { pageTaskSentences } from './engine-sentences/page-task-sentences.ts';

/**
 * The engine's sentences in German, and that of the page about its caches. The English ones are in
 * `src/engine-worker/strings` and `src/page/strings`.
 */
export const engineSentences: SentenceTable<Sentences> = {
  ...loadingSentences,
  ...pageTaskSentences,
  ...ggufSentences,
  ...downloadSentences,
  cacheStorageSilent:
    'Der Cache-Speicher des Browsers mit den Dateien dieser Website antwortet nicht. Schließe alle Fenster des Browsers und starte ihn neu: Die Seite neu zu laden hilft nicht.',
};
