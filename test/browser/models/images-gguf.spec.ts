import { expect, test, type Page } from '@playwright/test';
import type { SiteGguf } from '../../../src/shared/models/site-models.ts';
import { WITHOUT_GPU } from '../../support/browsers/without-gpu.ts';
import { copySiteWithModels, type CopiedSite } from '../../support/sites/copied-site.ts';
import {
  IMAGE_TOKENS,
  tinyChatModel,
  tinyMmproj,
  tinyVisionReference,
} from '../../support/samples/tiny-vision-model.ts';
import { openControlled } from '../../support/pages/site-page.ts';

test.use(WITHOUT_GPU);
// One page loads the models one after the other.
test.describe.configure({ mode: 'default' });

/** The image encoders that a site may name by mistake, and what the error says. Each is that of a model of this name. */
const WRONG: Record<string, readonly [file: () => Blob | Promise<Blob>, sentence: RegExp]> = {
  'of-another-model': [() => tinyMmproj({ width: 32 }), /belongs to another model/],
  'a-chat-model': [() => tinyChatModel(), /has no image encoder/],
  'no-gguf': [() => new Blob(['<html>']), /not a GGUF file/],
  truncated: [() => tinyMmproj().slice(0, 20_000), /ends 102,880 bytes too early/],
  'cut-in-its-header': [() => tinyMmproj().slice(0, 500), /ends too early/],
  'with-a-billion-tensors': [() => changed(tinyMmproj(), 8, 2 ** 30), /lists 1073741824 items/],
  'of-unknown-kind': [() => tinyMmproj({ entries: { 'clip.projector_type': 'telescope' } }), /mmproj.*telescope/],
  'with-enormous-images': [() => tinyMmproj({ entries: { 'clip.vision.image_size': 2 ** 30 } }), /mmproj \(/],
  'with-patches-of-nothing': [() => tinyMmproj({ entries: { 'clip.vision.patch_size': 0 } }), /mmproj \(/],
  'with-missing-layers': [() => tinyMmproj({ entries: { 'clip.vision.block_count': 40 } }), /mmproj \(/],
  'with-a-billion-layers': [() => tinyMmproj({ entries: { 'clip.vision.block_count': 2 ** 30 } }), /mmproj \(/],
  'with-a-text-as-its-size': [() => tinyMmproj({ entries: { 'clip.vision.image_size': 'large' } }), /mmproj \(/],
  'for-sounds': [() => tinyMmproj({ entries: { 'clip.has_vision_encoder': false } }), /has no image encoder/],
};

async function changed(file: Blob, offset: number, value: number): Promise<Blob> {
  const bytes = await file.arrayBuffer();
  new DataView(bytes).setUint32(offset, value, true);
  return new Blob([bytes]);
}

/** A language model that lacks a tensor. */
async function damagedModel(): Promise<Blob> {
  const bytes = Buffer.from(await tinyChatModel().arrayBuffer());
  bytes.write('output_norm.weighs', bytes.indexOf('output_norm.weight'));
  return new Blob([bytes]);
}

const MODELS: readonly SiteGguf[] = [
  { id: 'damaged', gguf: 'models/damaged.gguf', mmproj: 'models/mlp.gguf', contextWindow: 512 },
  { id: 'blind', gguf: 'models/tiny.gguf', contextWindow: 512 },
  { id: 'sees', gguf: 'models/tiny.gguf', mmproj: 'models/mlp.gguf', contextWindow: 512 },
  { id: 'sees-in-one-step', gguf: 'models/tiny.gguf', mmproj: 'models/gemma3.gguf', contextWindow: 256 },
  { id: 'is-mmproj', gguf: 'models/mlp.gguf' },
  ...Object.keys(WRONG).map((name) => ({ id: name, gguf: 'models/tiny.gguf', mmproj: `models/${name}.gguf` })),
];

let site: CopiedSite;
let page: Page;

test.beforeAll(async ({ browser }) => {
  const files: Record<string, Blob> = {
    tiny: tinyChatModel(),
    damaged: await damagedModel(),
    mlp: tinyMmproj(),
    gemma3: tinyMmproj({ kind: 'gemma3' }),
  };
  for (const [name, [file]] of Object.entries(WRONG)) files[name] = await file();
  site = await copySiteWithModels(files, MODELS);
  page = await browser.newPage();
  await openControlled(page, site.url);
});

test.afterAll(async () => {
  await page?.close();
  await site?.close();
});

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

function post(path: string, body: object): Promise<Reply> {
  return page.evaluate(
    async ({ path, body }) => {
      const response = await fetch(`/v1/${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      return {
        status: response.status,
        text,
        body: text.trimStart().startsWith('{') ? (JSON.parse(text) as object) : {},
      };
    },
    { path, body },
  ) as Promise<Reply>;
}

/** A picture of two colours, as an address. */
function picture(left: string, right: string, type = 'image/png', side = 64): Promise<string> {
  return page.evaluate(
    ({ left, right, type, side }) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side });
      const drawing = canvas.getContext('2d')!;
      for (const [index, colour] of [left, right].entries()) {
        drawing.fillStyle = colour;
        drawing.fillRect((index * side) / 2, 0, side / 2, side);
      }
      return canvas.toDataURL(type, 1);
    },
    { left, right, type, side },
  );
}

const SAMPLING = { temperature: 0, max_tokens: 4, loop_detection: false };

/** Asks about images. The markers that end an answer are forbidden, because weights are random. */
const ask = (
  images: readonly string[],
  {
    model = 'sees',
    question = 'What is this?',
    ...fields
  }: { readonly model?: string; readonly question?: string; readonly [field: string]: unknown } = {},
) =>
  post('chat/completions', {
    model,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: question },
          ...images.map((url) => ({ type: 'image_url', image_url: { url } })),
        ],
      },
    ],
    ...SAMPLING,
    logit_bias: { 2: -100 },
    logprobs: true,
    top_logprobs: 3,
    ...fields,
  });

/** The log-probabilities of the first token of an answer. */
function probabilities({ status, text, body }: Reply): readonly number[] {
  expect([status, body], text).toMatchObject([200, { choices: [{}] }]);
  const [choice] = body['choices'] as [{ logprobs: { content: [{ top_logprobs: { logprob: number }[] }] } }];
  return choice.logprobs.content[0].top_logprobs.map(({ logprob }) => logprob);
}

const usageOf = ({ body }: Reply) =>
  body['usage'] as { prompt_tokens: number; prompt_tokens_details: { cached_tokens: number } };

/** How far the probabilities of two answers are apart. */
const distance = (one: readonly number[], other: readonly number[]) =>
  Math.max(...one.map((value, index) => Math.abs(value - other[index]!)));

const SAME = 1e-3;

test('a GGUF model with an image encoder says so, and what it writes depends on the image @core', async () => {
  test.setTimeout(300_000);
  const { tabserve } = await page.evaluate(
    async () =>
      (await (await fetch('/v1/models/sees', { headers: { authorization: 'Bearer local' } })).json()) as {
        tabserve: object;
      },
  );
  expect(tabserve).toMatchObject({ capabilities: { chat: true, images: true } });
  const [red, green] = [await picture('red', 'red'), await picture('green', 'yellow')];
  const [ofRed, ofGreen, again] = [await ask([red]), await ask([green]), await ask([red])].map(probabilities);
  expect(distance(ofRed!, ofGreen!)).toBeGreaterThan(10 * SAME);
  expect(distance(ofRed!, again!)).toBeLessThan(SAME);
});

test('what llama.cpp computes of an image is what its networks say, computed a second time', async () => {
  for (const colour of [
    [255, 0, 0],
    [10, 200, 90],
  ] as const) {
    const url = await picture(`rgb(${colour.join()})`, `rgb(${colour.join()})`);
    const told = probabilities(await ask([url]));
    const computed = tinyVisionReference(['user: ', colour, '\nWhat is this?\nassistant: ']);
    // llama.cpp keeps keys and values as 8-bit numbers.
    expect(distance(told, computed.slice(0, told.length))).toBeLessThan(0.02);
  }
});

test('the tokens of images count as tokens of the prompt, and the same images come from the cache', async () => {
  const [red, blue] = [await picture('red', 'red'), await picture('blue', 'white')];
  const without = usageOf(await ask([], { question: 'Go' })).prompt_tokens;
  const one = await ask([red], { question: 'Go' });
  // llama.cpp separates an image and a text by a line feed.
  const added = usageOf(one).prompt_tokens - without;
  expect(added).toBeGreaterThanOrEqual(IMAGE_TOKENS.mlp);
  expect(added).toBeLessThanOrEqual(IMAGE_TOKENS.mlp + 1);
  expect(usageOf(await ask([red, blue], { question: 'Go' })).prompt_tokens).toBe(without + 2 * added);

  const same = await ask([red], { question: 'Go' });
  expect(usageOf(same).prompt_tokens_details.cached_tokens).toBeGreaterThan(IMAGE_TOKENS.mlp);
  expect(distance(probabilities(same), probabilities(one))).toBeLessThan(SAME);
  const other = await ask([blue], { question: 'Go' });
  expect(usageOf(other).prompt_tokens_details.cached_tokens).toBeLessThan(IMAGE_TOKENS.mlp);
  expect(distance(probabilities(other), probabilities(one))).toBeGreaterThan(10 * SAME);
});

/** A turn that shows an image and says nothing. */
const turn = (url: string) => ({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] });

test('images in two turns, and in another order, are other prompts', async () => {
  const [red, blue] = [await picture('red', 'red'), await picture('blue', 'white')];
  const [first, second] = [await ask([red, blue]), await ask([blue, red])].map(probabilities);
  expect(distance(first!, second!)).toBeGreaterThan(SAME);
  const body = {
    model: 'sees',
    messages: [turn(red), { role: 'assistant', content: 'Red.' }, turn(blue)],
    ...SAMPLING,
  };
  const { status, body: answer } = await post('chat/completions', body);
  expect(status).toBe(200);
  expect((answer['usage'] as { prompt_tokens: number }).prompt_tokens).toBeGreaterThan(2 * IMAGE_TOKENS.mlp);
});

test('every format that the browser shows is read, and what is no image is refused', async () => {
  const png = probabilities(await ask([await picture('red', 'blue')]));
  for (const type of ['image/webp', 'image/jpeg']) {
    const url = await picture('red', 'blue', type);
    expect(url).toMatch(new RegExp(`^data:${type}`));
    expect(distance(probabilities(await ask([url])), png), type).toBeLessThan(0.2);
  }
  expect(distance(probabilities(await ask([await picture('red', 'blue', 'image/png', 3000)])), png)).toBeLessThan(0.2);
  for (const url of ['data:image/png;base64,bm90IGFuIGltYWdl', 'data:image/png;base64,', 'data:image/png;base64,%%%']) {
    expect(await ask([url])).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_value', message: expect.stringContaining('could not be fetched or read') } },
    });
  }
  expect(distance(probabilities(await ask([await picture('red', 'blue')])), png)).toBeLessThan(SAME);
});

test('streams, messages and responses take images, too', async () => {
  const url = await picture('red', 'red');
  const text = 'What is this?';
  const stream = await ask([url], { stream: true, stream_options: { include_usage: true } });
  expect(stream.text).toContain('data: [DONE]');
  const [, tokens] = /"prompt_tokens":(\d+)/.exec(stream.text)!;
  expect(Number(tokens)).toBeGreaterThan(IMAGE_TOKENS.mlp);

  const data = url.slice(url.indexOf(',') + 1);
  const source = { type: 'base64', media_type: 'image/png', data };
  const content = [
    { type: 'image', source },
    { type: 'text', text },
  ];
  const message = await post('messages', { model: 'sees', max_tokens: 4, messages: [{ role: 'user', content }] });
  expect(message, message.text).toMatchObject({ status: 200, body: { type: 'message' } });
  const { input_tokens: fresh, cache_read_input_tokens: cached } = message.body['usage'] as Record<string, number>;
  expect(fresh! + cached!).toBe(Number(tokens));

  const input = [
    {
      role: 'user',
      content: [
        { type: 'input_text', text },
        { type: 'input_image', image_url: url, detail: 'auto' },
      ],
    },
  ];
  const response = await post('responses', { model: 'sees', input, max_output_tokens: 4 });
  expect(response, response.text).toMatchObject({ status: 200, body: { usage: { input_tokens: Number(tokens) } } });
});

test('an encoder whose images are evaluated in one step works, and images that exceed the window are refused before', async () => {
  test.setTimeout(300_000);
  const [red, blue] = [await picture('red', 'red'), await picture('blue', 'white')];
  const model = 'sees-in-one-step';
  const [ofRed, ofBlue] = [await ask([red], { model }), await ask([blue], { model })];
  expect(distance(probabilities(ofRed), probabilities(ofBlue))).toBeGreaterThan(10 * SAME);
  expect(usageOf(ofRed).prompt_tokens).toBeGreaterThan(IMAGE_TOKENS.gemma3);
  expect(
    await ask(
      Array.from({ length: 5 }, () => red),
      { model },
    ),
  ).toMatchObject({
    status: 400,
    body: {
      error: { code: 'context_length_exceeded', param: 'messages', message: expect.stringMatching(/\d+ tokens/) },
    },
  });
  expect(distance(probabilities(await ask([red], { model })), probabilities(ofRed))).toBeLessThan(SAME);
});

test('without its image encoder the same model refuses images by name, and chats', async () => {
  const url = await picture('red', 'red');
  expect(await ask([url], { model: 'blind' })).toMatchObject({
    status: 400,
    body: { error: { code: 'unsupported_value', message: expect.stringContaining('takes no images') } },
  });
  expect(await ask([], { model: 'blind' })).toMatchObject({ status: 200 });
});

test('a file that is only an image encoder is refused as a model', async () => {
  expect(await ask([], { model: 'is-mmproj' })).toMatchObject({
    status: 503,
    body: { error: { code: 'model_load_failed', message: expect.stringContaining('must name the file of the model') } },
  });
});

test('a damaged model is refused without blaming its image encoder', async () => {
  expect(await ask([], { model: 'damaged' })).toMatchObject({
    status: 503,
    body: {
      error: {
        code: 'model_load_failed',
        message: expect.stringMatching(/could not load the model \(.*output_norm/),
      },
    },
  });
});

for (const [name, [, sentence]] of Object.entries(WRONG)) {
  test(`an image encoder that is wrong is refused with a sentence, and the other models go on: ${name}`, async () => {
    test.setTimeout(120_000);
    const url = await picture('red', 'red');
    expect(await ask([url], { model: name })).toMatchObject({
      status: 503,
      body: { error: { code: 'model_load_failed', message: expect.stringMatching(sentence) } },
    });
    expect(await ask([], { model: 'blind' })).toMatchObject({ status: 200 });
  });
}
