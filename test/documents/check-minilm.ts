import type { CorpusFile } from './corpus.ts';
import { embedTexts } from './embed-texts.ts';
import { openEndpoint } from './endpoint.ts';
import { convertMiniLm, MINILM } from './minilm-gguf.ts';
import type { Place } from './questions.ts';

/** Texts of each kind that are compared. */
const COUNT = 10;

/** Characters of a passage. */
const LENGTH = 600;

/**
 * Compares the vectors of all-MiniLM-L6-v2 in llama.cpp, converted to GGUF, with those of NumPy, and finds a passage with
 * them in a vector store.
 * @returns the smallest cosine similarity of two vectors of the same text.
 */
export async function checkMiniLm(
  corpus: readonly CorpusFile[],
  places: readonly Place[],
  signal: AbortSignal,
): Promise<number> {
  await convertMiniLm();
  const every = Math.floor(corpus.length / COUNT);
  const passages = Array.from({ length: COUNT }, (_, index) => corpus[index * every]!.text.slice(0, LENGTH));
  const texts = [
    ...passages,
    ...places.slice(0, COUNT).map(({ question }) => question),
    'naïve Größe, 東京 2024-11-28!',
  ];
  const expected = embedTexts('minilm', texts);
  const endpoint = await openEndpoint([MINILM], signal);
  try {
    const { data } = (await endpoint.post('embeddings', { model: MINILM.id, input: texts })) as {
      readonly data: readonly { readonly embedding: readonly number[] }[];
    };
    const store = await endpoint.createStore(
      { 'tides.txt': 'Low water is at six.', 'tea.txt': 'A kettle.' },
      MINILM.id,
    );
    const found = (await endpoint.post(`vector_stores/${store}/search`, { query: 'When is the ebb?' })) as {
      readonly data: readonly { readonly filename: string }[];
    };
    console.log(`"When is the ebb?" finds ${found.data[0]?.filename}`);
    return Math.min(...data.map(({ embedding }, index) => dot(embedding, expected[index]!)));
  } finally {
    await endpoint.close();
  }
}

function dot(one: readonly number[], other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * other[index]!, 0);
}
