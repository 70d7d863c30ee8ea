import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HubHello, HubReply } from '../../../src/page/hub-messages.ts';
import { HUB_PROTOCOL } from '../../../src/page/hub-messages.ts';
import { ENGINE_ABANDONED_PREFIX, ENGINE_LOCK_PREFIX } from '../../../src/shared/locks/site-locks.ts';
import { BUILT_IN_EMBEDDING_MODEL_ID, BUILT_IN_MODEL_ID } from '../../../src/shared/models/built-in-models.ts';
import { PROTOCOL_VERSION } from '../../../src/shared/messaging/messages.ts';
import { travel } from '../../support/fakes/engine-worker.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const SITE = 'https://app.example.org';
const HELLO: HubHello = { type: 'tabserve/hub', protocol: HUB_PROTOCOL, version: PROTOCOL_VERSION };

let locks: MemoryLocks;
/** Names of the engines that were started. */
let engines: Set<string>;
/** How many contexts are connected to the engines. */
let connected: number;
/** What the person decided. */
let isAllowed: boolean;
/** The graphics adapter of the engines; null for none. */
let gpu: string | null;
/** The ids of the models that the engines are told, by each frame that connects. */
let told: (readonly string[])[];
const ports: MessagePort[] = [];

beforeEach(() => {
  vi.resetModules();
  locks = new MemoryLocks();
  engines = new Set();
  connected = 0;
  isAllowed = true;
  gpu = 'scripted';
  told = [];
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
  vi.stubGlobal('navigator', { locks, gpu: {} });
  frameIn([SITE]);
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  vi.stubGlobal('fetch', async () => Response.json({}));
  vi.stubGlobal(
    'SharedWorker',
    class extends EventTarget {
      readonly port: MessagePort;

      constructor(_: URL, { name }: { name: string }) {
        super();
        const lockName = ENGINE_LOCK_PREFIX + name;
        if (!engines.has(name)) void locks.request(lockName, () => new Promise<void>(() => {}));
        engines.add(name);
        const { port1, port2 } = new MessageChannel();
        this.port = port1;
        ports.push(port1, port2);
        port2.addEventListener('message', ({ data }: MessageEvent) => {
          if (data.type === 'hello') {
            connected++;
            told.push(data.siteModels.entries.map(({ id }: { id: string }) => id));
            port2.postMessage({ type: 'welcome', version: PROTOCOL_VERSION, lockName, gpu });
          } else if (data.type === 'leave') connected--;
          else if (data.type === 'call')
            port2.postMessage({ type: 'result', callId: data.callId, name: data.name, value: isAllowed ? [] : null });
        });
        port2.start();
      }
    },
  );
});

afterEach(() => {
  for (const port of ports.splice(0)) port.close();
  vi.unstubAllGlobals();
});

/** Loads the script of a frame, which lives until the test ends. @returns a function that says hello to it. */
async function openFrame() {
  vi.resetModules();
  const { serveSite } = await import('../../../src/page/hub/serve-site.ts');
  return async () => {
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    const replies: HubReply[] = [];
    port1.addEventListener('message', ({ data }: MessageEvent<HubReply>) => replies.push(data));
    port1.start();
    const refusal = await serveSite(HELLO, SITE, port2, false);
    await travel();
    return { refusal, replies };
  };
}

/** @param ancestorOrigins The origins that the browser tells, the innermost first; undefined if it tells none. */
function frameIn(ancestorOrigins: readonly string[] | undefined, isNested = false): void {
  vi.stubGlobal('location', { origin: 'https://models.example.org', ancestorOrigins });
  const parent = {};
  vi.stubGlobal('window', { parent, top: isNested ? {} : parent });
}

test.each<[origins: readonly string[] | undefined, isNested: boolean, refusal: string | null]>([
  [[SITE], false, null],
  // Firefox, because the frame has a referrer policy.
  [['null'], false, null],
  [undefined, false, null],
  [[SITE, SITE], true, null],
  [[SITE, 'https://other.test'], true, 'nested'],
  [['null', 'null'], true, 'nested'],
  [undefined, true, 'nested'],
])(
  'a frame whose ancestors are told as %j (in a nested page: %s) refuses with %j',
  async (origins, isNested, refusal) => {
    frameIn(origins, isNested);
    expect((await (await openFrame())()).refusal).toBe(refusal);
  },
);

test('a site that the person does not allow makes no other site leave the engine', async () => {
  isAllowed = false;
  expect((await (await openFrame())()).refusal).toBe('no-permission');
  isAllowed = true;
  expect((await (await openFrame())()).refusal).toBeNull();
  expect(engines.size).toBe(1);
});

test('a page that says hello again and again has one connection to the engine, and the last hello counts', async () => {
  const sayHello = await openFrame();
  const said = [];
  for (let index = 0; index < 10; index++) said.push(await sayHello());
  expect([connected, engines.size]).toEqual([1, 1]);
  expect(said.map(({ replies }) => replies.at(-1)?.type)).toEqual([...Array<string>(9).fill('ended'), 'ready']);
});

test('an engine that is of no use to this frame is left as it is, for the others', async () => {
  gpu = null;
  for (const frame of [await openFrame(), await openFrame()]) expect((await frame()).refusal).toBe('no-engine');
  expect([engines.size, connected]).toEqual([1, 0]);
  const { held } = await locks.query();
  expect(held.filter(({ name }) => name.startsWith(ENGINE_ABANDONED_PREFIX))).toEqual([]);
});

/** What the hub's server sends for its options, in the order of the requests; the last one for all later ones. */
function serveOptions(...answers: readonly (() => Promise<Response>)[]): void {
  let requests = 0;
  vi.stubGlobal('fetch', () => (answers[requests++] ?? answers.at(-1)!)());
}

const file = async () => Response.json({ builtInModels: [], models: [LARGE] });
const LARGE = { id: 'large', gguf: 'https://models.example.org/large.gguf', contextWindow: 4096 };
const offline = () => Promise.reject(new TypeError('Failed to fetch'));

const FAILURES: readonly [what: string, fail: () => Promise<Response>][] = [
  ['is away', offline],
  ['is overloaded', async () => new Response('busy', { status: 503 })],
  ['limits the requests', async () => new Response('{}', { status: 429 })],
  ['breaks off', async () => new Response('{"models": [', { headers: { 'content-type': 'application/json' } })],
];

test.each(FAILURES)('while the server of a hub %s, sites get the models that it named last', async (_, fail) => {
  serveOptions(file, fail);
  for (const frame of [await openFrame(), await openFrame()]) expect((await frame()).refusal).toBeNull();
  expect(told).toEqual([['large'], ['large']]);
});

test('the options of a hub are asked for again if the browser never got them', async () => {
  serveOptions(offline, file);
  expect((await (await openFrame())()).refusal).toBeNull();
  expect(told).toEqual([['large']]);
});

test('a hub whose models are not known serves no site, until its server answers', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  serveOptions(offline);
  const frame = await openFrame();
  const first = frame();
  await vi.advanceTimersByTimeAsync(5000);
  vi.useRealTimers();
  expect([(await first).refusal, told]).toEqual(['no-answer', []]);
  serveOptions(file);
  expect([(await frame()).refusal, told]).toEqual([null, [['large']]]);
});

test.each<[what: string, answer: () => Promise<Response>]>([
  ['no such file', async () => new Response('Not found', { status: 404 })],
  ['a page in its place', async () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })],
])('a hub whose server has %s offers the built-in models', async (_, answer) => {
  serveOptions(answer);
  expect((await (await openFrame())()).refusal).toBeNull();
  expect(told).toEqual([[BUILT_IN_MODEL_ID, BUILT_IN_EMBEDDING_MODEL_ID]]);
});
