import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServiceWorkerUpdates } from '../../../src/chat/browser/service-worker-updates.ts';
import { FakePage, FakeRegistration, FakeServiceWorker } from '../../support/fakes/fake-page.ts';

const SCRIPT = new URL('https://site.test/site-service-worker.js');

let page: FakePage;
let updates: ServiceWorkerUpdates;

beforeEach(() => {
  page = new FakePage();
  vi.stubGlobal('self', globalThis);
  updates = new ServiceWorkerUpdates();
});

afterEach(() => page.close());

const newWorker = () => new FakeServiceWorker(page, SCRIPT.href);

/** Registers on a page that an active service worker already controls. */
async function beServed(): Promise<void> {
  page.registration.active = page.container.controller = newWorker();
  await updates.register(SCRIPT, {});
}

interface Case {
  readonly what: string;
  readonly happens: () => void | Promise<void>;
  readonly available: boolean;
}

const cases: readonly Case[] = [
  { what: 'a first visit', available: false, happens: () => void updates.register(SCRIPT, {}) },
  {
    what: 'the first worker that serves a page',
    available: false,
    happens: async () => {
      await updates.register(SCRIPT, {});
      page.control(page.registration.active!);
    },
  },
  {
    what: 'a newer build that waits when the page is opened',
    available: true,
    happens: async () => {
      page.registration.waiting = newWorker();
      await beServed();
    },
  },
  {
    what: 'a newer build that is installed later',
    available: true,
    happens: async () => {
      await beServed();
      const newer = newWorker();
      page.registration.installing = newer;
      page.registration.dispatchEvent(new Event('updatefound'));
      Object.assign(page.registration, { installing: null, waiting: newer });
      newer.dispatchEvent(new Event('statechange'));
    },
  },
  {
    what: 'a newer build that took over because another tab applied it',
    available: true,
    happens: async () => {
      await beServed();
      page.takeOver(newWorker());
    },
  },
  {
    what: 'a lost registration that this page made again',
    available: false,
    happens: async () => {
      await beServed();
      page.clearData();
      await updates.register(SCRIPT, {});
      page.control(page.registration.active!);
    },
  },
  {
    what: 'a lost registration that another tab made again',
    available: false,
    happens: async () => {
      await beServed();
      page.registration = new FakeRegistration();
      page.takeOver(newWorker());
    },
  },
];

test.each(cases)('$what (announced as a newer build: $available)', async ({ happens, available }) => {
  await happens();
  await page.pass(1000);
  expect(updates.available).toBe(available);
});

test('a newer build is announced once', async () => {
  let announced = 0;
  updates.addEventListener('available', () => (announced += 1));
  await beServed();
  page.takeOver(newWorker());
  await page.pass(1000);
  page.takeOver(newWorker());
  await page.pass(1000);
  expect(announced).toBe(1);
});
