import { expect, test } from 'vitest';
import { readForeignConversation } from '../../../src/chat/transfer/foreign/foreign-formats.ts';
import { NOTHING_LEFT_OUT, type LeftOut } from '../../../src/chat/transfer/left-out.ts';
import { chatGptText } from '../../support/samples/foreign-exports.ts';
import { chatGptChat, fromTool, toTool } from '../../support/samples/product-exports.ts';

const mark = (...values: readonly string[]): string => `\uE200${values.join('\uE202')}\uE201`;
const said = (text: string, metadata: object = {}) => ({ ...chatGptText('assistant', text, null), metadata });
const web = (matched: string, title: string, url: string) => ({
  matched_text: matched,
  type: 'grouped_webpages',
  items: [{ title, url }],
});
const CITE = mark('cite', 'turn0search0');

/** The text and the thinking of the last message, and the counts of what was left out. */
function read(...messages: Parameters<typeof chatGptChat>[0]) {
  const { whole, left } = readForeignConversation(chatGptChat(messages)[0]);
  if (typeof whole === 'string') throw new Error(whole);
  const last = whole.messages.at(-1)!;
  return { text: last.text, thinking: last.role === 'assistant' ? last.thinking : '', left };
}

test.each<[name: string, message: Record<string, unknown>, text: string, left?: Partial<LeftOut>]>([
  // Entities.
  ['an entity', said(`By ${mark('entity', '["people","Mira Example",0]')}.`), 'By Mira Example.'],
  ['an entity with what tells it apart', said(`In ${mark('entity', '["city","Lisbon","Portugal"]')}.`), 'In Lisbon.'],
  ['an entity of a product', said(mark('product_entity', '["turn0product3","Kettle 7"]')), 'Kettle 7'],
  ['an entity without JSON', said(`By ${mark('entity', 'Mira Example')}.`), 'By Mira Example.'],
  ['an entity that is cut off', said('By \uE200entity\uE202["people","Mira'), 'By \uE200entity\uE202["people","Mira'],
  [
    'an entity that the metadata name',
    said(`In ${mark('entity', '["city","Lisbon"]')}.`, {
      content_references: [{ matched_text: mark('entity', '["city","Lisbon"]'), type: 'entity', name: 'Lisboa' }],
    }),
    'In Lisboa.',
  ],
  // Citations.
  [
    'a citation',
    said(`It boils. ${CITE}`, { content_references: [web(CITE, 'Boiling', 'https://a.test/boil')] }),
    'It boils. ([Boiling](https://a.test/boil))',
  ],
  [
    'two sources of a citation',
    said(`So. ${CITE}`, {
      content_references: [
        {
          matched_text: CITE,
          items: [
            { title: 'A', url: 'https://a.test' },
            { title: 'B', url: 'https://b.test' },
          ],
        },
      ],
    }),
    'So. ([A](https://a.test), [B](https://b.test))',
  ],
  [
    'equal marks with different sources',
    said(`One ${CITE}, two ${CITE}.`, {
      content_references: [web(CITE, 'A', 'https://a.test'), web(CITE, 'B', 'https://b.test')],
    }),
    'One ([A](https://a.test)), two ([B](https://b.test)).',
  ],
  [
    'an address with brackets, and a title with brackets',
    said(`So. ${CITE}`, { content_references: [web(CITE, 'A [1]', 'https://a.test/x_(y)')] }),
    String.raw`So. ([A \[1\]](https://a.test/x_%28y%29))`,
  ],
  [
    'a citation with nothing but its Markdown',
    said(`So. ${CITE}`, { content_references: [{ matched_text: CITE, alt: '([A](https://a.test))' }] }),
    'So. ([A](https://a.test))',
  ],
  [
    'a citation of a file',
    said(`So. ${mark('filecite', 'turn0file0', 'L1-L5')}`, {
      content_references: [{ matched_text: mark('filecite', 'turn0file0', 'L1-L5'), type: 'file', name: 'a.pdf' }],
    }),
    'So. (a.pdf)',
  ],
  ['a citation without a source', said(`So. ${CITE}`), 'So.', { sources: 1 }],
  [
    'an address of a script',
    said(`So. ${CITE}`, { content_references: [web(CITE, 'A', 'javascript:alert(1)')] }),
    'So.',
    { sources: 1 },
  ],
  ['a link in a mark', said(`See ${mark('url', 'Boiling', 'https://a.test')}.`), 'See [Boiling](https://a.test).'],
  ['a title in a mark', said(`See ${mark('link_title', 'Boiling', 'turn0search2')}.`), 'See Boiling.'],
  ['a list of titles in a mark', said(mark('navlist', 'News of today', 'turn0news1', 'turn0news2')), 'News of today'],
  [
    'images in a mark',
    said(`${mark('image_group', '{"layout":"carousel","query":["red fox","den"]}')} So.`),
    'red fox, den So.',
    { images: 1 },
  ],
  [
    'marks around the cited words',
    said(`\uE203It boils.\uE204\uE206${CITE}`, { content_references: [web(CITE, 'A', 'https://a.test')] }),
    'It boils.([A](https://a.test))',
  ],
  ['line breaks made by two blanks', said('One  \ntwo'), 'One  \ntwo'],
  ['the icon of a font at the begin of a mark', said('Icon \uE200 is broken, why?'), 'Icon \uE200 is broken, why?'],
  ['icons of a font at both ends of a mark', said('From \uE200 to \uE201.'), 'From \uE200 to \uE201.'],
  [
    'a question with the characters of a mark',
    chatGptText('user', 'Is \uE200cite\uE202turn0search0\uE201 a mark?', null),
    'Is \uE200cite\uE202turn0search0\uE201 a mark?',
  ],
  ['a first line that is indented', said('\n    x = 1\n'), '    x = 1'],
  ['a question whose first line is indented', chatGptText('user', '    x = 1', null), '    x = 1'],
  [
    'line breaks made by two blanks, beside a citation',
    said(`One  \ntwo ${CITE}`, { content_references: [web(CITE, 'A', 'https://a.test')] }),
    'One  \ntwo ([A](https://a.test))',
  ],
  [
    'a question about a part of an answer',
    { ...chatGptText('user', 'Why?', null), metadata: { targeted_reply: 'It boils.\nIt cools.' } },
    '> It boils.\n> It cools.\n\nWhy?',
  ],
  ['the icon of a font', said('\uE203 is my icon'), '\uE203 is my icon'],
  // Brackets.
  ['brackets of Japanese', said('【重要】これは【1】です。'), '【重要】これは【1】です。'],
  ['brackets with a dagger that nothing declares', said('見よ【3†図】。'), '見よ【3†図】。'],
  [
    'brackets that are declared',
    said('So【3†source】.', { content_references: [web('【3†source】', 'A', 'https://a.test')] }),
    'So([A](https://a.test)).',
  ],
  [
    'brackets that are declared by their position, behind an emoji',
    said('😀So【3†source】【1】.', {
      citations: [{ start_ix: 3, end_ix: 13, metadata: { type: 'webpage', title: 'A', url: 'https://a.test' } }],
    }),
    '😀So([A](https://a.test))【1】.',
  ],
  [
    'brackets that are declared by a list',
    said('So【1†source】.', {
      _cite_metadata: { metadata_list: [{}, { title: 'B', url: 'https://b.test' }] },
    }),
    'So([B](https://b.test)).',
  ],
  // Canvas, programs.
  [
    'a document of the canvas',
    toTool('canmore.create_textdoc', {
      content_type: 'code',
      text: '{"name":"Poem","type":"document","content":"# Sea\\n\\nIt is."}',
    }),
    '**Poem**\n\n```markdown\n# Sea\n\nIt is.\n```',
  ],
  [
    'a program of the canvas, in parts',
    toTool('canmore.create_textdoc', {
      content_type: 'text',
      parts: ['{"name":"p","type":"code/rust","content":"fn main() {}"}'],
    }),
    '**p**\n\n```rust\nfn main() {}\n```',
  ],
  [
    'a whole new text of the canvas',
    toTool('canmore.update_textdoc', {
      content_type: 'code',
      text: '{"updates":[{"pattern":".*","multiple":true,"replacement":"Sea!"}]}',
    }),
    '```\nSea!\n```',
  ],
  [
    'a document that is no JSON',
    toTool('canmore.create_textdoc', { content_type: 'code', text: '{"name":"Poem' }),
    '```\n{"name":"Poem\n```',
  ],
  [
    'a program for Python',
    toTool('python', { content_type: 'code', language: 'unknown', text: 'print("```")' }),
    '````python\nprint("```")\n````',
  ],
  [
    'a program that looks like JSON',
    toTool('python', { content_type: 'code', text: '{"a": 1}' }),
    '```python\n{"a": 1}\n```',
  ],
  [
    'a command for a shell',
    toTool('container.exec', { content_type: 'code', text: '{"cmd":["ls","-l"]}' }),
    '```sh\nls -l\n```',
  ],
  ['the output of a program', fromTool('python', { content_type: 'execution_output', text: '42' }), '```\n42\n```'],
  // Images, audio, others.
  [
    'an image that was made',
    fromTool('dalle.text2im', {
      content_type: 'multimodal_text',
      parts: [{ content_type: 'image_asset_pointer', metadata: { dalle: { prompt: 'A fox.' } } }],
    }),
    '[Image: A fox.]',
    { images: 1 },
  ],
  [
    'speech',
    {
      ...chatGptText('user', '', null),
      content: {
        content_type: 'multimodal_text',
        parts: [{ content_type: 'audio_transcription', text: 'Hello' }, { content_type: 'audio_asset_pointer' }],
      },
    },
    'Hello',
    { audio: 1 },
  ],
  [
    'an unknown part',
    {
      ...chatGptText('user', '', null),
      content: { content_type: 'multimodal_text', parts: [{ content_type: 'hologram', caption: 'A fox' }, 'So'] },
    },
    'A fox\n\nSo',
  ],
  [
    'an unknown content',
    {
      ...chatGptText('assistant', '', null),
      content: { content_type: 'poem', verses: [{ line: 'One' }, { line: 'Two' }] },
    },
    'One\nTwo',
  ],
])('%s becomes its text', (_name, message, text, left = {}) => {
  const result = read(message);
  expect(result.text).toBe(text);
  expect(result.left).toEqual({ ...NOTHING_LEFT_OUT, ...left });
});

test('searches and their results are in the thinking, which is not sent to a model', () => {
  const { text, thinking } = read(
    chatGptText('user', 'Why?', null),
    toTool('web.run', { content_type: 'code', text: '{"search_query":[{"q":"why"}]}' }),
    fromTool('web.run', { content_type: 'tether_quote', title: 'Reasons', text: 'Because.' }),
    said('So.'),
  );
  expect(text).toBe('So.');
  expect(thinking).toBe(
    'web.run\n\n```\nsearch_query: q: why\n```\n\nReasons\nBecause.'.replace(
      'search_query:\nq: why',
      'search_query: q: why',
    ),
  );
});

test('instructions that ChatGPT has deleted are no system prompt', () => {
  const deleted = chatGptText('system', 'Original custom instructions no longer available', null);
  const { whole } = readForeignConversation(chatGptChat([deleted, said('So.')])[0]);
  expect(whole).toMatchObject({ conversation: { settings: { systemPrompt: '' } } });
});

test('twenty thousand declared marks each become their own link', () => {
  const references = Array.from({ length: 20_000 }, (_, at) => web('【1†x】', 'A', `https://a.test/${at}`));
  const { text } = read(said('【1†x】'.repeat(20_000), { content_references: references }));
  expect(text.slice(0, 48)).toBe('([A](https://a.test/0))([A](https://a.test/1))([');
  expect(text).toMatch(/a\.test\/19998\)\)\(\[A\]\(https:\/\/a\.test\/19999\)\)$/);
});

test('a hidden message is counted', () => {
  const hidden = { ...said('secret'), metadata: { is_visually_hidden_from_conversation: true } };
  expect(read(hidden, said('So.'))).toEqual({ text: 'So.', thinking: '', left: { ...NOTHING_LEFT_OUT, notes: 1 } });
});
