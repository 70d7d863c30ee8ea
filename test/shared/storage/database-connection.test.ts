import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../src/shared/api-error.ts';
import { DatabaseConnection } from '../../../src/shared/storage/database-connection.ts';

const UNAVAILABLE = { code: 'storage_unavailable', message: expect.stringContaining('database') };

const connect = vi.fn<(closed: () => void) => Promise<string>>();
let connection: DatabaseConnection<string>;

beforeEach(() => {
  vi.useFakeTimers();
  connect.mockReset();
  connection = new DatabaseConnection(connect);
});

afterEach(() => void vi.useRealTimers());

/** Node 20 lacks `Promise.withResolvers`. */
function withResolvers<Value>() {
  let resolve!: (value: Value) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<Value>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}

/** Opens the database. @returns the result and the milliseconds that it took. */
async function open(): Promise<{ outcome: unknown; time: number }> {
  const start = performance.now();
  const settled: { outcome: unknown; time: number }[] = [];
  const settle = (outcome: unknown) => settled.push({ outcome, time: performance.now() - start });
  connection.open().then(settle, settle);
  await vi.advanceTimersByTimeAsync(0);
  while (settled.length === 0) await vi.advanceTimersByTimeAsync(100);
  return settled[0]!;
}

test('a database is opened once, and again after it was closed', async () => {
  connect.mockResolvedValueOnce('first').mockResolvedValueOnce('second');
  const [one, other] = [open(), open()];
  expect((await one).outcome).toBe('first');
  expect((await other).outcome).toBe('first');
  expect(connect).toHaveBeenCalledTimes(1);
  connect.mock.calls[0]![0]();
  expect((await open()).outcome).toBe('second');
});

test('a database that does not open fails after three seconds, later calls at once, and is used as soon as it opens', async () => {
  const blocked = withResolvers<string>();
  connect.mockReturnValue(blocked.promise);
  const slow = await open();
  expect(slow).toMatchObject({ outcome: UNAVAILABLE, time: 3000 });
  // Nothing says that the profile is private or full.
  expect(slow.outcome).toMatchObject({
    message: expect.stringMatching(/has not opened within 3 seconds(?!.*profile)/),
  });
  for (let minute = 0; minute < 10; minute++) {
    expect(await open()).toMatchObject({ outcome: UNAVAILABLE, time: 0 });
    await vi.advanceTimersByTimeAsync(60_000);
  }
  expect(connect).toHaveBeenCalledTimes(1);
  blocked.resolve('late');
  await vi.advanceTimersByTimeAsync(0);
  expect(await open()).toEqual({ outcome: 'late', time: 0 });
});

test.each([
  { failure: 'rejects', fail: () => Promise.reject(new DOMException('Full.', 'QuotaExceededError')) },
  {
    failure: 'throws',
    fail: () => {
      throw new ReferenceError('indexedDB is not defined');
    },
  },
])('a database that fails ($failure) is retried after a while, and not for every request', async ({ fail }) => {
  connect.mockImplementation(fail);
  for (let request = 0; request < 5; request++) expect(await open()).toMatchObject({ outcome: UNAVAILABLE, time: 0 });
  expect((await open()).outcome).toMatchObject({ message: expect.stringContaining('profile') });
  expect(connect).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(10_000);
  connect.mockResolvedValue('mended');
  expect((await open()).outcome).toBe('mended');
});

test('a database that fails after the timeout is tried again later', async () => {
  const blocked = withResolvers<string>();
  connect.mockReturnValueOnce(blocked.promise).mockResolvedValue('mended');
  await open();
  blocked.reject(new Error('Gone.'));
  await vi.advanceTimersByTimeAsync(0);
  expect((await open()).outcome).toMatchObject(UNAVAILABLE);
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await open()).outcome).toBe('mended');
});

test.for([
  ['a full disk', new DOMException('No room.', 'QuotaExceededError'), 'is full'],
  ['a database that is being deleted', new DOMException('It is closing.', 'InvalidStateError'), 'database'],
  ['a refusal', new ApiError('storage_unavailable', 'Not here.'), 'Not here.'],
] as const)(
  'a step that fails because of %s throws storage_unavailable with its own sentence',
  async ([, thrown, says]) => {
    connect.mockResolvedValue('database');
    const used = connection.use(() => Promise.reject(thrown));
    await expect(used).rejects.toMatchObject({ code: 'storage_unavailable', message: expect.stringContaining(says) });
  },
);
