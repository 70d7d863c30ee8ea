import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useLocks } from '../../../../src/shared/locks/site-locks.ts';
import { identifyTab, isTab, openTabs } from '../../../../src/chat/storage/drafts/tab-identity.ts';
import { MemoryChannel } from '../../../support/fakes/memory-channels.ts';
import { MemoryStorage } from '../../../support/fakes/memory-storage.ts';
import { MemoryLocks } from '../../../support/fakes/web-locks.ts';

let locks: MemoryLocks;
/** Milliseconds that a page waits for the answers of tabs. */
const ROLL_CALL = 500;
const none = async (): Promise<readonly string[]> => [];
const two = async (): Promise<readonly string[]> => ['tab-a', 'tab-b'];
const silent = (): Promise<never> => new Promise(() => {});

beforeEach(() => {
  vi.useFakeTimers();
  locks = new MemoryLocks();
  useLocks(locks as unknown as LockManager);
});

afterEach(() => {
  vi.useRealTimers();
  MemoryChannel.closeAll();
  vi.unstubAllGlobals();
});

/** Opens a page in a tab with this sessionStorage. */
async function openPage(session: MemoryStorage, closed = none) {
  const page = new EventTarget();
  vi.stubGlobal('sessionStorage', session);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  const channels: MemoryChannel[] = [];
  vi.stubGlobal(
    'BroadcastChannel',
    class extends MemoryChannel {
      constructor(name: string) {
        super(name);
        channels.push(this);
      }
    },
  );
  const identifying = identifyTab(closed);
  await vi.advanceTimersByTimeAsync(ROLL_CALL);
  return { page, session, identifying, channels };
}

/** The user leaves a page. Its lock stays until the browser has removed the page. */
function leave({ page, session }: Awaited<ReturnType<typeof openPage>>): void {
  vi.stubGlobal('sessionStorage', session);
  page.dispatchEvent(new Event('pagehide'));
}

async function remove({ identifying, channels }: Awaited<ReturnType<typeof openPage>>): Promise<void> {
  const id = await identifying;
  for (const channel of channels) channel.close();
  await locks.request(`tabserve-tab ${id}`, { steal: true }, () => {});
}

/** What a duplicated tab begins with, and one that is restored after a crash. */
const copyOf = (session: MemoryStorage): MemoryStorage => new MemoryStorage({ ...session } as Record<string, string>);

test('a new tab has an id of its own, and is an open tab', async () => {
  const [one, other] = [await openPage(new MemoryStorage()), await openPage(new MemoryStorage())];
  const ids = [await one.identifying, await other.identifying];
  expect(ids[0]).not.toBe(ids[1]);
  expect(ids.every(isTab)).toBe(true);
  expect(await openTabs()).toEqual(new Set(ids));
});

test('a tab keeps its id after a reload, even if the page before is removed a moment later', async () => {
  const first = await openPage(new MemoryStorage());
  const id = await first.identifying;
  leave(first);
  const next = await openPage(first.session, async () => ['tab-of-another']);
  await vi.advanceTimersByTimeAsync(1000);
  await remove(first);
  expect(await next.identifying).toBe(id);
});

test('a tab that is restored after a crash keeps its id', async () => {
  const first = await openPage(new MemoryStorage());
  const id = await first.identifying;
  await remove(first);
  const restored = await openPage(copyOf(first.session));
  expect(await restored.identifying).toBe(id);
});

test('a duplicated tab gets another id at once', async () => {
  const original = await openPage(new MemoryStorage());
  const duplicate = await openPage(copyOf(original.session));
  const open = await openTabs();
  expect(open?.size).toBe(2);
  expect(new Set([await original.identifying, await duplicate.identifying])).toEqual(open);
});

test('each new tab takes over the first closed tab that no other has taken over', async () => {
  const ids: string[] = [];
  for (let tab = 0; tab < 3; tab++) {
    const { identifying } = await openPage(new MemoryStorage(), two);
    await vi.advanceTimersByTimeAsync(ROLL_CALL);
    ids.push(await identifying);
  }
  expect(ids.slice(0, 2)).toEqual(['tab-a', 'tab-b']);
  expect(['tab-a', 'tab-b']).not.toContain(ids[2]);
});

test('a full sessionStorage does not keep a tab from having an id', async () => {
  const full = new MemoryStorage();
  vi.spyOn(full, 'setItem').mockImplementation(() => {
    throw new DOMException('No room left.', 'QuotaExceededError');
  });
  const tab = await openPage(full);
  leave(tab);
  expect(await openTabs()).toEqual(new Set([await tab.identifying]));
});

test('a browser that does not answer about locks is not waited for, and says nothing about open tabs', async () => {
  useLocks({ request: silent, query: silent } as unknown as LockManager);
  const { identifying } = await openPage(new MemoryStorage());
  const open = openTabs();
  await vi.advanceTimersByTimeAsync(3000);
  expect(isTab(await identifying)).toBe(true);
  expect(await open).toBeNull();
});

test('a new page does not take over the tab of an older one whose locks it cannot see', async () => {
  const older = await openPage(new MemoryStorage());
  const id = await older.identifying;
  // As after the site's data were cleared.
  locks = new MemoryLocks();
  useLocks(locks as unknown as LockManager);
  const newer = await openPage(new MemoryStorage(), async () => [id, 'tab-b']);
  await vi.advanceTimersByTimeAsync(ROLL_CALL);
  expect(await newer.identifying).toBe('tab-b');
  const duplicate = await openPage(copyOf(older.session));
  expect(await duplicate.identifying).not.toBe(id);
});
