import { appendFileSync } from 'node:fs';
import { localModels } from '../../src/command-line/local-models.ts';
import { CommandFailure } from '../../src/command-line/run-command.ts';
import type { CorpusFile } from './corpus.ts';
import { openEndpoint } from './endpoint.ts';
import { isFileOf, type Place } from './questions.ts';

const MODEL = 'smollm2';

/** The files that are asked about have at most this many characters together, so that they are indexed soon. */
const CHARACTERS = 150_000;

/** Passages that the model gets: few, as the answer short, because a processor reads and writes slowly. */
const PASSAGES = 2;

const MAX_TOKENS = 60;

interface Response {
  readonly output: readonly {
    readonly type: string;
    readonly results?: readonly { readonly file_id: string; readonly text: string }[];
    readonly content?: readonly {
      readonly text: string;
      readonly annotations: readonly { readonly index: number; readonly file_id: string }[];
    }[];
  }[];
}

export interface CitationOptions {
  /** Number of answers. */
  readonly count: number;
  /** Number of the first answer, which sets question and seed. */
  readonly first: number;
  /** File to which each answer is added, as a line of JSON. Default: none. */
  readonly file?: string;
  readonly signal: AbortSignal;
}

/** Asks SmolLM2 about documents by `file_search`, and counts the citations and numbers in brackets of its answers. */
export async function countCitations(
  corpus: readonly CorpusFile[],
  places: readonly Place[],
  { count, first, file, signal }: CitationOptions,
): Promise<Record<string, number>> {
  const gguf = localModels().filter(({ id }) => id === MODEL);
  if (gguf.length === 0) throw new CommandFailure(`There is no model ${MODEL}: fetch it with \`npm run model\`.`);
  const chosen = new Map<string, string>();
  let characters = 0;
  for (const { name, text } of corpus.filter((one) => places.some((place) => isFileOf(one, place)))) {
    if (characters + text.length > CHARACTERS) continue;
    characters += text.length;
    chosen.set(name, text);
  }
  const asked = places
    .filter((place) => chosen.has(place.file))
    .flatMap((place) => [place.question, place.inOtherWords]);
  const sums = { answers: 0, withCitation: 0, citations: 0, wrongCitations: 0, numbersWithoutCitation: 0 };
  const endpoint = await openEndpoint(gguf, signal);
  try {
    const store = await endpoint.createStore(Object.fromEntries(chosen));
    for (let number = first; number < first + count && !signal.aborted; number += 1) {
      const question = asked[number % asked.length]!;
      const { output } = (await endpoint.post('responses', {
        model: MODEL,
        input: question,
        tools: [{ type: 'file_search', vector_store_ids: [store], max_num_results: PASSAGES }],
        include: ['file_search_call.results'],
        max_output_tokens: MAX_TOKENS,
        store: false,
      })) as Response;
      const results = output[0]?.results ?? [];
      const { text = '', annotations = [] } = output[1]?.content?.[0] ?? {};
      const given = new Set(results.map(({ file_id }) => file_id));
      const isRight = ({ index, file_id }: (typeof annotations)[number]) =>
        given.has(file_id) && /^[[【]\d/.test(text.slice(index));
      const places = new Set(annotations.map(({ index }) => index));
      sums.answers += 1;
      sums.withCitation += annotations.length > 0 ? 1 : 0;
      sums.citations += annotations.length;
      sums.wrongCitations += annotations.filter((annotation) => !isRight(annotation)).length;
      sums.numbersWithoutCitation += [...text.matchAll(/[[【]\d+/g)].filter(({ index }) => !places.has(index)).length;
      const line = JSON.stringify({ question, text, annotations, passages: results.map((result) => result.text) });
      if (file !== undefined) appendFileSync(file, `${line}\n`);
    }
  } finally {
    await endpoint.close();
  }
  return sums;
}
