import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HubSites } from '../../../src/engine-worker/hub/hub-sites.ts';
import { startEngineWorker, travel } from '../../support/fakes/engine-worker.ts';
import { askOfSite, connectSite, HUB, openHubFrame } from '../../support/fakes/hub-frame.ts';
import { MemoryHubRecords } from '../../support/fakes/memory-hub-records.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const ONE = 'https://one.test';

let worker: ReturnType<typeof startEngineWorker>;
let records: MemoryHubRecords;

beforeEach(() => {
  const locks = new MemoryLocks();
  vi.stubGlobal('navigator', { locks });
  records = new MemoryHubRecords();
  worker = startEngineWorker({ locks, hubRecords: records });
});

afterEach(() => {
  worker.die();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const makeSites = (onRevoked: (origin: string) => void = () => {}) =>
  new HubSites({ records, listModels: async () => [], onRevoked });

test('a revocation is kept although the site asks at the same time', async () => {
  const sites = makeSites();
  await sites.admit(ONE, 'given', HUB);
  // Each wait of the admission, at which the person may revoke.
  for (let waits = 0; waits < 8; waits++) {
    await sites.change(ONE, { isAllowed: true });
    const asked = sites.admit(ONE, 'same-site', HUB);
    for (let wait = 0; wait < waits; wait++) await Promise.resolve();
    await sites.change(ONE, { isAllowed: false });
    await asked;
    expect([waits, records.sites.get(ONE)?.isAllowed, sites.isAdmitted(ONE)]).toEqual([waits, false, false]);
  }
});

test('a revoked site is not admitted for a moment, however often it asks at the same time', async () => {
  const sites = makeSites();
  await sites.admit(ONE, 'given', HUB);
  const asked = Array.from({ length: 20 }, () => sites.admit(ONE, 'none', HUB));
  await Promise.resolve();
  const changed = sites.change(ONE, { isAllowed: false });
  const admitted: boolean[] = [];
  for (let wait = 0; wait < 500; wait++) {
    admitted.push(sites.isAdmitted(ONE));
    await Promise.resolve();
  }
  await Promise.all([changed, ...asked]);
  expect([admitted.includes(true), records.sites.get(ONE)?.isAllowed]).toEqual([false, false]);
});

test('what the person decides while the site asks is kept', async () => {
  const sites = makeSites();
  await sites.admit(ONE, 'given', HUB);
  for (let waits = 0; waits < 8; waits++) {
    const asked = sites.admit(ONE, 'none', HUB);
    for (let wait = 0; wait < waits; wait++) await Promise.resolve();
    await sites.change(ONE, { models: [`${waits}`] });
    await asked;
    expect([records.sites.get(ONE)?.models, (await sites.list())[0]?.models]).toEqual([[`${waits}`], [`${waits}`]]);
  }
});

test('an engine of an earlier build learns with the next answer that a site was revoked, and keeps it revoked', async () => {
  const onRevoked = vi.fn<(origin: string) => void>();
  const [earlier, current] = [makeSites(onRevoked), makeSites()];
  await earlier.admit(ONE, 'given', HUB);
  await current.admit(ONE, 'none', HUB);
  await current.change(ONE, { isAllowed: false });
  const log = { events: [{ type: 'delta', content: 'x' }] };
  await earlier.completed({ site: `hub ${ONE}`, log } as never);
  expect([records.sites.get(ONE)?.isAllowed, earlier.isAdmitted(ONE)]).toEqual([false, false]);
  expect(onRevoked).toHaveBeenCalledWith(ONE);
});

test('no number of sites that ask makes the hub forget that one was revoked', async () => {
  const sites = makeSites();
  let now = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => now++);
  await sites.admit(ONE, 'same-site', HUB);
  await sites.change(ONE, { isAllowed: false });
  for (let index = 0; index < 60; index++) await sites.admit(`https://s${index}.test`, 'none', HUB);
  expect(await sites.admit(ONE, 'same-site', HUB)).toBeNull();
});

test.each([
  ['of a lost service worker', { resumable: { id: 's', outlives: 'page', joinsOnly: false } }, { type: 'leave' }],
  ['that its site calls delivered', {}, { type: 'delivered', subscription: 1, requestId: 'long' }],
  ['whose number was given to another request', {}, { ...askOfSite('next'), subscription: 1 }],
  ['of a lost service worker, in the grace time', {}, { type: 'leave' }],
])('revoking ends a running answer %s', async (_, fields, then) => {
  const frame = await openHubFrame(worker);
  await frame.admit(ONE);
  const { connection } = await connectSite(worker, frame, ONE);
  const start = vi.spyOn(worker.completions.joinable, 'join');
  connection.post({ ...askOfSite('long'), ...fields } as never);
  await travel();
  connection.post(then as never);
  await travel();
  const completion = start.mock.results[0]?.value as ReturnType<typeof worker.completions.start>;
  expect(completion.signal.aborted).toBe(false);
  await frame.change(ONE, { isAllowed: false });
  expect(completion.signal.aborted).toBe(true);
});

test.each([
  ['serves a site that the person has allowed', 'none', true, true],
  ['serves a site of its domain that it knows', 'same-site', true, true],
  ['allows no new site, which it could not remember', 'given', false, false],
  ['allows no site that was revoked', 'given', null, false],
] as const)('on a full disk the hub %s', async (_, consent, wasAllowed, isServed) => {
  if (wasAllowed !== false) await makeSites().admit(ONE, 'given', HUB);
  if (wasAllowed === null) await makeSites().change(ONE, { isAllowed: false });
  vi.spyOn(records, 'put').mockRejectedValue(new DOMException('Full.', 'QuotaExceededError'));
  const sites = makeSites();
  const models = await sites.admit(ONE, consent, HUB).catch(() => null);
  expect([models !== null, sites.isAdmitted(ONE)]).toEqual([isServed, isServed]);
});
