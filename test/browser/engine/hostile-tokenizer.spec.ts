import { builtInPackage, expect, test } from '../../support/sites/model-site.ts';
import { ask, ModelsPage } from '../../support/pages/models-page.ts';

const { 'tokenizer.json': file, ...files } = Object.fromEntries(builtInPackage());
const tokenizer = JSON.parse(new TextDecoder().decode(file)) as { readonly model: { readonly vocab: object } };

const split = (pattern: string): object => ({
  ...tokenizer,
  pre_tokenizer: { type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false },
});

/** A vocabulary whose ids are beyond the model's table of embeddings. */
const farAway = Object.fromEntries(Object.entries(tokenizer.model.vocab).map(([token, id]) => [token, id + 1_000_000]));

interface Case {
  readonly name: string;
  readonly hostile: object;
  readonly question?: string;
  /** The answer's text, or the code of an error. */
  readonly text: string;
}

const CASES: readonly Case[] = [
  { name: 'is none', hostile: [], text: 'model_load_failed' },
  { name: 'splits by an invalid regular expression', hostile: split('('), text: 'model_load_failed' },
  {
    name: 'splits by a regular expression that backtracks endlessly',
    hostile: split('(a+)+$'),
    question: `${'a'.repeat(40)}b`,
    text: 'engine_unavailable',
  },
  {
    name: 'expands a prompt beyond the context window',
    hostile: {
      ...tokenizer,
      padding: {
        strategy: { Fixed: 100_000 },
        direction: 'Left',
        pad_to_multiple_of: null,
        pad_id: 0,
        pad_type_id: 0,
        pad_token: 'x',
      },
    },
    text: 'context_length_exceeded',
  },
  {
    name: 'emits tokens that the model does not have',
    hostile: { ...tokenizer, model: { ...tokenizer.model, vocab: farAway } },
    // The model's token ids are unknown to this tokenizer, so the text is empty.
    text: '',
  },
];

test('a hostile tokenizer affects only the answers of its own model, and failures have a code', async ({
  site,
  models,
}) => {
  test.slow();
  const manager = await ModelsPage.open(site);
  const expected = await ask(site, 'pocket');
  expect(expected).toMatchObject({ status: 200, text: expect.stringMatching(/\w/) });
  for (const [index, { name, hostile, question = 'Hello', text }] of CASES.entries()) {
    await test.step(`one that ${name}`, async () => {
      const id = `hostile-${index}`;
      const bytes = new TextEncoder().encode(JSON.stringify(hostile));
      models.server.add(`/${id}/`, new Map([...Object.entries(files), ['tokenizer.json', bytes]]));
      await manager.add(id, `${models.origin}/${id}/`);
      await manager.arrived(id);
      // The status is not checked, because on a fast machine it has changed again.
      expect.soft((await ask(site, id, { question })).text, name).toBe(text);
      expect.soft(await ask(site, 'pocket'), `after one that ${name}`).toEqual(expected);
    });
  }
});
