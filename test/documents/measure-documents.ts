import { cpus } from 'node:os';
import { parseCount, parseOptions } from '../../src/command-line/parse-options.ts';
import { CommandFailure, runCommand } from '../../src/command-line/run-command.ts';
import { checkMiniLm } from './check-minilm.ts';
import { readCorpus, type Language } from './corpus.ts';
import { countCitations } from './count-citations.ts';
import type { EmbeddingModel } from './embed-texts.ts';
import { indexCorpus, indexOf, isAt, type Corpus } from './index-corpus.ts';
import { FINAL_FOREIGN, FINAL_PLACES, isFileOf, TUNING_FOREIGN, TUNING_PLACES, type Place } from './questions.ts';
import { refusalsOf } from './refusals.ts';

const USAGE = `Measures how often the passage that answers a question is among the first five that are found.

  npm run documents -- [options]

  --tuning          the half of the questions by which the ranking was chosen; default: the other half
  --minilm          with all-MiniLM-L6-v2 too, which needs some CPU minutes
  --language NAME   only the documents and questions in English, German or French
  --engine          compares the vectors of all-MiniLM-L6-v2 in a browser with those that are measured
  --answers NUMBER  instead counts the citations in so many answers of SmolLM2 (\`npm run model -- smollm2\`), in a browser
  --first NUMBER    number of the first answer (default 0), to go on
  --file FILE       the answers are added to this file

It fetches documentation of Debian by apt-get, and NumPy by pip, into a folder outside the repository.`;

/** Hits that a person or a model is given. */
const MOST = 5;

/** The least cosine similarity of the vectors of two programs for one text. */
const LEAST_SIMILARITY = 0.99;

/** Characters of a printed page. */
const PAGE = 3000;

await runCommand(async (signal) => {
  const { values } = parseOptions(USAGE, {
    tuning: { type: 'boolean', default: false },
    minilm: { type: 'boolean', default: false },
    language: { type: 'string' },
    engine: { type: 'boolean', default: false },
    answers: { type: 'string' },
    first: { type: 'string', default: '0' },
    file: { type: 'string' },
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
  if (values.engine) {
    const similarity = await checkMiniLm(corpus, places, signal);
    console.log(`Smallest similarity of a vector in llama.cpp to that of NumPy: ${similarity.toFixed(5)}`);
    return similarity < LEAST_SIMILARITY ? 1 : 0;
  }
  if (values.answers !== undefined) {
    const { file } = values;
    const options = { count: parseCount('--answers', values.answers), first: Number(values.first), signal };
    console.table([await countCitations(corpus, places, { ...options, ...(file !== undefined && { file }) })]);
    return 0;
  }
  const models: readonly EmbeddingModel[] = values.minilm ? ['pocket_embed', 'minilm'] : ['pocket_embed'];
  const foreign = (values.tuning ? TUNING_FOREIGN : FINAL_FOREIGN).filter(isMeasured);
  const questions = places.flatMap(({ question, inOtherWords }) => [question, inOtherWords]);
  questions.push(...foreign.map(({ question }) => question));
  const rows = { words: recallOf(searcherOf(indexCorpus(corpus, questions, null)), places) } as Record<string, object>;
  const refusals: Record<string, object> = {};
  for (const model of models) {
    const indexed = indexCorpus(corpus, questions, model);
    const search = searcherOf(indexed);
    rows[`${model} alone`] = recallOf((question, place) => search(question, place, ''), places);
    rows[`words and ${model}`] = recallOf(search, places);
    for (const [collection, row] of Object.entries(refusalsOf(indexed, places, foreign)))
      refusals[`${model}, ${collection}`] = row;
  }
  console.table(refusals);
  console.table(rows);
  return 0;
});

/** Returns whether a search finds a place. `text` are the words that are compared; default: the question. */
type Search = (question: string, place: Place, text?: string) => boolean;

function searcherOf(corpus: Corpus): Search {
  const index = indexOf(corpus, () => true);
  return (question, place, text) =>
    index.search({ ...corpus.query(question, text), most: MOST }).some((hit) => isAt(place, hit, corpus));
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
