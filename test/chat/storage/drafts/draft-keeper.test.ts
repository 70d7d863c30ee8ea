import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Drafts, type DraftOwner } from '../../../../src/chat/storage/drafts/drafts.ts';
import { MemoryStorage } from '../../../support/fakes/memory-storage.ts';

/** The texts that the device has for this tab; null is the new chat. */
const stored = new Map<string | null, string>();
/** Owners whose text was given back to other tabs. */
const released: (string | null)[] = [];
let writes: number;
let fails: { reads: boolean; writes: boolean };

vi.mock('../../../../src/chat/storage/drafts/store-drafts.ts', () => ({
  claimText: async (owner: string | null) => {
    if (fails.reads) throw new DOMException('Cannot be read.', 'UnknownError');
    return stored.get(owner) ?? '';
  },
  storeTexts: async (texts: ReadonlyMap<string | null, string>) => {
    writes++;
    if (fails.writes) throw new DOMException('No room left.', 'QuotaExceededError');
    for (const [owner, text] of texts) {
      if (text === '') stored.delete(owner);
      else stored.set(owner, text);
    }
  },
  releaseText: async (owner: string) => void released.push(owner),
  takeTexts: async (owners: readonly string[]) => {
    const taken = owners.map((owner) => [owner, stored.get(owner)] as const);
    for (const owner of owners) stored.delete(owner);
    return taken;
  },
  putTexts: async (taken: readonly (readonly [string, string])[]) => {
    for (const [owner, text] of taken) stored.set(owner, text);
  },
  hasFiles: async () => false,
}));

let page: EventTarget;
let drafts: Drafts;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'info').mockReturnValue();
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.stubGlobal('document', { visibilityState: 'visible' });
  stored.clear();
  released.length = 0;
  writes = 0;
  fails = { reads: false, writes: false };
  openPage();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Opens another page in the same tab. The writes of the page before do not end. */
function openPage(): void {
  page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  drafts = new Drafts();
}

function show(owner: DraftOwner): Promise<string> {
  return drafts.keep((keeper) => keeper.show(owner));
}

async function hide(owner: DraftOwner): Promise<void> {
  await drafts.keep((keeper) => keeper.hide(owner));
  await vi.advanceTimersByTimeAsync(0);
}

/** Passes time in which texts are written. */
const pass = (milliseconds = 1000) => vi.advanceTimersByTimeAsync(milliseconds);

test('what is typed is stored within a second, in few writes', async () => {
  await show('c');
  for (let length = 1; length <= 50; length++) {
    drafts.write('c', 'x'.repeat(length));
    await pass(10);
  }
  expect(writes).toBeLessThanOrEqual(2);
  await pass();
  expect(stored.get('c')).toBe('x'.repeat(50));
  expect(writes).toBeLessThanOrEqual(2);
});

test('a stored text is shown, before what was typed while it was read', async () => {
  stored.set('c', 'Typed last time');
  const changed = vi.fn<() => void>();
  drafts.addEventListener('change', changed);
  drafts.write('c', 'Typed early');
  expect(await show('c')).toBe('Typed last time\n\nTyped early');
  expect(changed).toHaveBeenCalledTimes(1);
  await pass();
  expect(stored.get('c')).toBe('Typed last time\n\nTyped early');
});

test('a stored text that cannot be read is not overwritten', async () => {
  stored.set('c', 'Typed last time');
  fails.reads = true;
  expect(await show('c')).toBe('');
  drafts.write('c', 'Typed now');
  await pass(10_000);
  expect(stored.get('c')).toBe('Typed last time');
  expect(drafts.unkept.has('c')).toBe(true);
  fails.reads = false;
  await pass(3000);
  expect(stored.get('c')).toBe('Typed last time\n\nTyped now');
  expect(drafts.unkept.has('c')).toBe(false);
});

test('a text that finds no room is called unkept, and stored when there is room', async () => {
  await show('c');
  fails.writes = true;
  drafts.write('c', 'Long text');
  await pass();
  expect([drafts.unkept.has('c'), drafts.read('c')]).toEqual([true, 'Long text']);
  fails.writes = false;
  const changed = vi.fn<() => void>();
  drafts.addEventListener('change', changed);
  await pass(3000);
  expect([drafts.unkept.has('c'), stored.get('c')]).toEqual([false, 'Long text']);
  expect(changed).toHaveBeenCalledTimes(1);
});

test('a question that is being sent stays stored, before what is typed next, until it is stored in its chat', async () => {
  await show('c');
  drafts.write('c', 'Question');
  await pass();
  let end!: (isStored: boolean) => void;
  drafts.write('c', '');
  drafts.tell((keeper) => keeper.send('c', 'Question', new Promise((resolve) => (end = resolve))));
  await pass();
  drafts.write('c', 'Next');
  await pass();
  expect(stored.get('c')).toBe('Question\n\nNext');
  expect(drafts.read('c')).toBe('Next');
  end(true);
  await pass();
  expect(stored.get('c')).toBe('Next');
});

test('the next page of the tab shows what was typed just before a page was left, although no write ended', async () => {
  stored.set('c', 'Older text');
  await show('c');
  drafts.write('c', 'Newer text');
  await pass(0);
  fails.writes = true;
  page.dispatchEvent(new Event('pagehide'));
  await pass(0);
  fails.writes = false;
  openPage();
  expect(await show('c')).toBe('Newer text');
  await pass();
  expect(stored.get('c')).toBe('Newer text');
  expect({ ...sessionStorage }).toEqual({});
});

test('the next page of the tab shows what could not be stored before a crash, with what was stored before', async () => {
  stored.set('c', 'Older text');
  stored.set('d', 'Stored');
  await show('c');
  fails = { reads: true, writes: true };
  drafts.write('c', 'Newer text');
  drafts.write('d', 'Typed now');
  await pass();
  drafts.write('c', 'Newest text');
  await pass(0);
  fails = { reads: false, writes: false };
  openPage();
  expect([await show('c'), await show('d')]).toEqual(['Newest text', 'Stored\n\nTyped now']);
  await pass();
  expect(Object.fromEntries(stored)).toEqual({ c: 'Newest text', d: 'Stored\n\nTyped now' });
  expect({ ...sessionStorage }).toEqual({});
});

/** Opens another page in the same tab, whose page before has ended. */
function openNextPage(): void {
  vi.clearAllTimers();
  openPage();
}

test('a text that could not be stored outlives several pages on which the database fails', async () => {
  stored.set('c', 'Older text');
  await show('c');
  fails = { reads: true, writes: true };
  drafts.write('c', 'Newer text');
  drafts.write('d', 'Typed first');
  await pass();
  openNextPage();
  await show('d');
  drafts.write('d', 'Typed next');
  await pass();
  openNextPage();
  await pass();
  fails = { reads: false, writes: false };
  openNextPage();
  expect([await show('c'), await show('d')]).toEqual(['Newer text', 'Typed first\n\nTyped next']);
  await pass();
  expect(Object.fromEntries(stored)).toEqual({ c: 'Newer text', d: 'Typed first\n\nTyped next' });
  expect({ ...sessionStorage }).toEqual({});
});

test('a text that was put aside stays there until the next page has stored it', async () => {
  fails.writes = true;
  drafts.write('c', 'Text');
  await pass();
  openNextPage();
  openNextPage();
  fails.writes = false;
  expect(await show('c')).toBe('Text');
  await pass();
  expect(stored.get('c')).toBe('Text');
  expect({ ...sessionStorage }).toEqual({});
});

test('a text that is stored after all, or deleted, is left nowhere else', async () => {
  await show('c');
  fails.writes = true;
  drafts.write('c', 'Long text');
  await pass();
  expect(Object.keys({ ...sessionStorage })).toHaveLength(1);
  await drafts.keep((keeper) => keeper.take(['c']));
  expect({ ...sessionStorage }).toEqual({});
  await show('c');
  drafts.write('c', 'Other text');
  await pass();
  fails.writes = false;
  await pass(3000);
  expect({ ...sessionStorage }).toEqual({});
  expect(stored.get('c')).toBe('Other text');
});

test('other tabs get the text of a chat when no field of this tab shows it any more', async () => {
  await show('c');
  await show('c');
  drafts.write('c', 'Text');
  await hide('c');
  expect(released).toEqual([]);
  await hide('c');
  expect([released, stored.get('c')]).toEqual([['c'], 'Text']);
  // Another tab may have changed it since.
  stored.set('c', 'Changed elsewhere');
  expect(await show('c')).toBe('Changed elsewhere');
});

test('the text of the new chat stays with its tab', async () => {
  await show(null);
  drafts.write(null, 'Text');
  await hide(null);
  expect([released, stored.get(null)]).toEqual([[], 'Text']);
});

test('texts of a deleted chat are gone from memory and device, and can be brought back', async () => {
  await show('c');
  drafts.write('c', 'Text');
  const restore = await drafts.keep((keeper) => keeper.take(['c', 'q']));
  await pass();
  expect([drafts.read('c'), stored.get('c')]).toEqual(['', undefined]);
  await restore();
  expect(await show('c')).toBe('Text');
});

test('a discarded text is deleted, although it was never read', async () => {
  stored.set('q', 'Unfinished edit');
  await drafts.keep((keeper) => keeper.discard('q'));
  await pass();
  expect(stored.has('q')).toBe(false);
  expect(await show('q')).toBe('');
});

test('a text of the temporary chat is never stored', async () => {
  await show(undefined);
  drafts.write(undefined, 'Secret');
  drafts.tell((keeper) => keeper.send(undefined, 'Secret', Promise.resolve()));
  page.dispatchEvent(new Event('pagehide'));
  await pass();
  await hide(undefined);
  expect([drafts.read(undefined), stored.size, writes, { ...sessionStorage }]).toEqual(['Secret', 0, 0, {}]);
});
