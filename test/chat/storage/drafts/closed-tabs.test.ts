import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closedTabs } from '../../../../src/chat/storage/drafts/closed-tabs.ts';
import { draftConnection } from '../../../../src/chat/storage/drafts/draft-database.ts';
import { MemoryIdb } from '../../../support/fakes/memory-idb.ts';
import { MemoryStorage } from '../../../support/fakes/memory-storage.ts';
import { MemoryLocks } from '../../../support/fakes/web-locks.ts';

const idb = vi.hoisted((): { current: MemoryIdb | null } => ({ current: null }));
vi.mock('idb', () => ({ openDB: (...given: Parameters<MemoryIdb['openDB']>) => idb.current!.openDB(...given) }));

beforeEach(() => {
  idb.current = new MemoryIdb();
  vi.stubGlobal('navigator', { locks: new MemoryLocks() });
  vi.stubGlobal('localStorage', new MemoryStorage());
});

afterEach(() => vi.unstubAllGlobals());

test('what closed tabs left is kept whatever the clock says, up to that of the 20 latest', async () => {
  const database = await draftConnection.open();
  for (let changed = 1; changed <= 21; changed++) {
    const tab = `tab-${changed}`;
    await database.put('texts', { owner: tab, tab, text: `Text ${changed}`, changed });
    await database.put('texts', { owner: 'settings', tab, text: '{"seed":7}', changed });
    await database.put('texts', {
      owner: 'settings',
      tab: `tab-alone-${changed}`,
      text: '{"seed":7}',
      changed: changed + 100,
    });
  }
  const kept = Array.from({ length: 20 }, (_, index) => `tab-${21 - index}`);
  expect((await closedTabs()).map(({ tab }) => tab)).toEqual(kept);
  const stored = await database.getAll('texts');
  expect(new Set(stored.map(({ tab }) => tab))).toEqual(
    new Set([...kept, ...kept.map((tab) => tab.replace('tab', 'tab-alone'))]),
  );
  expect(stored).toHaveLength(60);
});
