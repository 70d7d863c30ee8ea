import type { SentenceTable, Sentences } from '../../../shared/coded-sentence.ts';
import { downloadSentences } from './engine-sentences/downloads.ts';
import { ggufSentences } from './engine-sentences/gguf.ts';
import { loadingSentences } from './engine-sentences/model-loading.ts';
import { pageTaskSentences } from './engine-sentences/page-tasks.ts';

/** The sentences of the engine in German; the English ones are in `src/engine-worker/strings`. */
export const engineSentences: SentenceTable<Sentences> = {
  ...loadingSentences,
  ...pageTaskSentences,
  ...ggufSentences,
  ...downloadSentences,
  cacheStorageSilent:
    'Der Cache-Speicher des Browsers mit den Dateien dieser Website antwortet nicht. Schließe alle Fenster des Browsers und starte ihn neu: Die Seite neu zu laden hilft nicht.',
};
