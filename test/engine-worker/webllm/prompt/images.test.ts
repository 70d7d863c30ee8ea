import { beforeEach, expect, test, vi } from 'vitest';
import type { ChatMessage } from '../../../../src/shared/engine/completion-request.ts';
import { ask, loadedEngine, requestOf } from '../support/test-engine.ts';

const image = (url: string) => ({ type: 'image', url }) as const;
const text = (text: string) => ({ type: 'text', text }) as const;
const user = (...content: (ReturnType<typeof image> | ReturnType<typeof text>)[]): ChatMessage => ({
  role: 'user',
  content,
});
const entry = { images: true };

beforeEach(() => {
  vi.stubGlobal('createImageBitmap', async () => ({ width: 2, height: 2, close() {} }));
  const context = { drawImage() {}, getImageData: () => ({ width: 2, height: 2 }) };
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext() {
        return context;
      }
    },
  );
});

test.each([
  ['precede its text', [text('a'), image('data:image/1')], '[data:image/1]a'],
  ['without text stand alone', [image('data:image/1')], '[data:image/1]'],
  ['precede two texts around them', [text('a'), image('data:image/1'), text('b')], '[data:image/1]a\nb'],
  [
    'keep their places among texts',
    [text('a'), image('data:image/1'), text('b'), text('c'), image('data:image/2')],
    'a[data:image/1]b\nc[data:image/2]',
  ],
  ['do not stand where a text has a mark', [text('\uFDD0'), image('data:image/1')], '[data:image/1]'],
] as const)('the images of a turn %s', async (_what, parts, turn) => {
  const { engine, runs } = await loadedEngine({ replies: [['ok']], entry });
  vi.stubGlobal('fetch', async () => new Response('pixels'));
  await ask(engine, { messages: [user(...parts)] });
  expect(runs[0]?.prompt).toBe(`«<|user|>»${turn}«<|end|>»«<|assistant|>»`);
});

test('images of earlier turns keep their place', async () => {
  const { engine, runs } = await loadedEngine({ replies: [['ok']], entry });
  vi.stubGlobal('fetch', async () => new Response('pixels'));
  const messages = [
    user(image('data:image/1'), image('data:image/2'), text('$& <|end|>')),
    { role: 'assistant', content: 'b', toolCalls: [] } as const,
    user(image('https://host.test/3')),
  ];
  const { choices } = await ask(engine, { messages });
  expect(choices[0]?.content).toBe('ok');
  expect(runs[0]?.prompt).toBe(
    '«<|user|>»[data:image/1][data:image/2]$& <|end|>«<|end|>»«<|assistant|>»b«<|end|>»«<|user|>»[https://host.test/3]«<|end|>»«<|assistant|>»',
  );
});

test('a prompt with images, and the one after it, are prefilled whole', async () => {
  const { engine, runs } = await loadedEngine({ replies: [['ok']], entry });
  vi.stubGlobal('fetch', async () => new Response('pixels'));
  const messages = [user(text('a'), image('data:image/1'))];
  const cached: number[] = [];
  for (const asked of [messages, messages, 'plain', 'plain'])
    cached.push((await ask(engine, typeof asked === 'string' ? asked : { messages: asked })).usage.cachedTokens);
  // The last prompt has the letters of the word and three markers. All but two of these tokens are cached.
  expect(cached).toEqual([0, 0, 0, 'plain'.length + 3 - 2]);
  expect(runs[1]?.prompt).toBe(runs[0]?.prompt);
  expect(runs[3]?.prompt).toBe('«<|user|>»plain«<|end|>»«<|assistant|>»');
});

// Phi-3.5-vision splits a square image into 4 × 4 tiles of 12 × 12 tokens, with a token after each row, a separator,
// and 156 for the whole image.
test.each([
  ['of a fixed size', {}, 16],
  ['between markers', { model_config: { mm_tokens_per_image: 16, boi_token_index: 7, eoi_token_index: 8 } }, 18],
  ['in cuts', { model_type: 'phi3_v', model_config: {} }, 48 * 49 + 1 + 156 + '\n'.length],
])('an image %s counts the tokens that its prefill takes', async (_name, config, tokens) => {
  const { engine } = await loadedEngine({
    replies: [['ok']],
    entry: { ...entry, contextWindow: 7000 },
    config: { ...config, prefill_chunk_size: 4096 },
  });
  vi.stubGlobal('fetch', async () => new Response('pixels'));
  const count = async (...content: Parameters<typeof user>) => {
    const request = requestOf({ messages: [user(...content)] });
    const counted = await engine.tokenize({ type: 'conversation', request, reply: true });
    expect(counted).toHaveLength((await ask(engine, request)).usage.promptTokens);
    return counted.length;
  };
  const alone = await count(text('Why?'));
  expect(await count(text('Why?'), image('data:image/1'))).toBe(alone + tokens);
  expect(await count(text('Why?'), image('data:image/1'), image('data:image/2'))).toBe(alone + 2 * tokens);
});

test.each([
  ['cannot be fetched', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['is not an image', () => Promise.resolve(new Response('text'))],
])('an image that %s is a fault of the request', async (_name, fetch) => {
  const { engine } = await loadedEngine({ replies: [['ok']], entry });
  vi.stubGlobal('fetch', fetch);
  vi.stubGlobal('createImageBitmap', async () => {
    throw new DOMException('The source image could not be decoded.', 'InvalidStateError');
  });
  await expect(ask(engine, { messages: [user(image('data:image/png;base64,AA=='))] })).rejects.toMatchObject({
    code: 'invalid_value',
    param: 'messages',
  });
  expect((await ask(engine, 'x')).choices[0]?.content).toBe('ok');
});
