import { cpus } from 'node:os';
import { parseOptions } from '../../src/command-line/parse-options.ts';
import { CommandFailure, runCommand } from '../../src/command-line/run-command.ts';
import { DEFAULT_LIMITS, passageText } from '../../src/engine-worker/documents/passages/passage.ts';
import { splitPassages } from '../../src/engine-worker/documents/passages/split-passages.ts';
import { indexFile } from '../../src/engine-worker/documents/search/indexed-file.ts';
import { PassageIndex, type PassageQuery } from '../../src/engine-worker/documents/search/passage-index.ts';
import { readCorpus, type CorpusFile, type Language } from './corpus.ts';
import type { EmbeddingModel } from './embed-texts.ts';
import { FINAL_PLACES, hasPhrase, isFileOf, TUNING_PLACES, type Place } from './questions.ts';
import { vectorsOf } from './vectors.ts';

const USAGE = `Measures how often the passage that answers a question is among the first five that are found.

  npm run documents -- [options]

  --tuning          the half of the questions by which the ranking was chosen; default: the other half
  --minilm          with all-MiniLM-L6-v2 too, which needs some CPU minutes
  --language NAME   only the documents and questions in English, German or French

It fetches documentation of Debian by apt-get, and NumPy by pip, into a folder outside the repository.`;

/** Hits that a person or a model is given. */
const MOST = 5;

/** Characters of a printed page. */
const PAGE = 3000;

await runCommand(async () => {
  const { values } = parseOptions(USAGE, {
    tuning: { type: 'boolean', default: false },
    minilm: { type: 'boolean', default: false },
    language: { type: 'string' },
  });
  const isMeasured = ({ language }: { readonly language: Language }) =>
    values.language === undefined || values.language === language;
  const corpus = (await readCorpus()).filter(isMeasured);
  const places = (values.tuning ? TUNING_PLACES : FINAL_PLACES).filter(isMeasured);
  const missing = places.filter((place) => !corpus.some((file) => isFileOf(file, place)));
  if (missing.length > 0 || places.length === 0)
    throw new CommandFailure(`The documents do not have: ${missing.map(({ phrase }) => phrase).join('; ')}`);
  const pages = Math.round(corpus.reduce((sum, { text }) => sum + text.length, 0) / PAGE);
  console.log(`${corpus.length} files, ${pages} pages of ${PAGE} characters, ${2 * places.length} questions`);
  console.log(`${cpus()[0]?.model}, ${new Date().toISOString()}`);
  const models: readonly EmbeddingModel[] = values.minilm ? ['pocket_embed', 'minilm'] : ['pocket_embed'];
  const rows: Record<string, Record<string, string>> = { words: recallOf(searcherOf(corpus, places, null), places) };
  for (const model of models) {
    const search = searcherOf(corpus, places, model);
    rows[`${model} alone`] = recallOf((question, place) => search(question, place, ''), places);
    rows[`words and ${model}`] = recallOf(search, places);
  }
  console.table(rows);
});

/** Returns whether a search finds a place. `text` are the words that are compared; default: the question. */
type Search = (question: string, place: Place, text?: string) => boolean;

/** @param model Default: only words are compared. */
function searcherOf(corpus: readonly CorpusFile[], places: readonly Place[], model: EmbeddingModel | null): Search {
  const files = corpus.map((file) => {
    const passages = [...splitPassages(file.text, DEFAULT_LIMITS)];
    return { file, passages, texts: passages.map((passage) => passageText(file.text, passage)) };
  });
  const questions = places.flatMap(({ question, inOtherWords }) => [question, inOtherWords]);
  const texts = files.flatMap((file) => file.texts);
  const vectors = model === null ? [] : vectorsOf(model, [...texts, ...questions]);
  const index = new PassageIndex();
  let first = 0;
  for (const [number, file] of files.entries()) {
    const end = first + file.texts.length;
    index.add(`${number}`, indexFile(file.texts, vectors.slice(first, end)));
    first = end;
  }
  return (question, place, text = question) => {
    const vector = vectors[texts.length + questions.indexOf(question)];
    const query: PassageQuery = { text, most: MOST, ...(vector !== undefined && { vector }) };
    return index.search(query).some((hit) => {
      const { file, passages } = files[Number(hit.file)]!;
      if (!isFileOf(file, place)) return false;
      const { start, end } = passages[hit.place]!;
      return hasPhrase(file.text.slice(start, end), place);
    });
  };
}

/** Returns the share of places that are found, for each language and kind of question. */
function recallOf(search: Search, places: readonly Place[]): Record<string, string> {
  const row: Record<string, string> = {};
  const found: boolean[] = [];
  for (const kind of ['question', 'inOtherWords'] as const) {
    for (const language of ['English', 'German', 'French'] as const) {
      const part = places.filter((place) => place.language === language).map((place) => search(place[kind], place));
      if (part.length > 0) row[`${language}, ${kind}`] = percent(part);
      found.push(...part);
    }
  }
  return { ...row, all: percent(found) };
}

function percent(found: readonly boolean[]): string {
  return `${((100 * found.filter(Boolean).length) / found.length).toFixed(1)} % of ${found.length}`;
}
