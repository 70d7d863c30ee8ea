import * as v from 'valibot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EngineCallClient } from '../../../src/shared/messaging/engine-call-client.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import { EngineClientIdentity, EngineConnection } from '../../../src/shared/messaging/engine-connection.ts';
import { startEngineWorker, travel } from '../../support/fakes/engine-worker.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const ModelId = v.object({ id: v.string() });

let calls: EngineCallClient;
let worker: ReturnType<typeof startEngineWorker>;
let connection: EngineConnection;
/** For each id, a function that answers the call of `models/size`. */
let answer: Record<string, (size: number) => void>;

beforeEach(async () => {
  answer = {};
  calls = new EngineCallClient();
  const locks = new MemoryLocks();
  vi.stubGlobal('navigator', { locks });
  worker = startEngineWorker({
    locks,
    handlers: {
      'models/size': { parameters: ModelId, run: ({ id }) => new Promise((resolve) => (answer[id] = resolve)) },
      'models/load': {
        parameters: ModelId,
        run: () => Promise.reject(new ApiError('model_load_failed', 'It is broken.', { param: 'id', retryAfter: 7 })),
      },
    },
  });
  const opened = await EngineConnection.open(
    worker.connect(),
    new EngineClientIdentity('page'),
    { site: 'https://site.test/' },
    (message) => {
      if (message.type === 'result' || message.type === 'failure') calls.receive(message);
    },
  );
  connection = opened!;
});

afterEach(() => {
  worker.die();
  vi.unstubAllGlobals();
});

test('each call gets its own result in any order of replies', async () => {
  const sizes = ['first', 'second'].map((id) => calls.send(connection, 'models/size', { id }));
  await travel();
  answer['second']!(2);
  await travel();
  answer['first']!(1);
  await expect(Promise.all(sizes)).resolves.toEqual([1, 2]);
});

test('a failure comes as the ApiError that was thrown', async () => {
  const error = await calls.send(connection, 'models/load', { id: 'a' }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: 'model_load_failed', message: 'It is broken.', param: 'id', retryAfter: 7 });
});

test('when the engine dies pending and later calls fail', async () => {
  const waiting = Promise.allSettled(['a', 'b'].map((id) => calls.send(connection, 'models/size', { id })));
  await travel();
  worker.die();
  const dead = { status: 'rejected', reason: { code: 'engine_unavailable' } };
  await expect(waiting).resolves.toMatchObject([dead, dead]);
  await expect(calls.send(connection, 'models/size', { id: 'c' })).rejects.toMatchObject(dead.reason);
});

test('a reply without a pending call is dropped', async () => {
  const post = vi.spyOn(connection, 'post');
  const size = calls.send(connection, 'models/size', { id: 'a' });
  await travel();
  const message = post.mock.calls[0]![0];
  if (message.type !== 'call') throw new Error('No call was posted.');
  calls.receive({ type: 'result', callId: 'another', name: 'models/size', value: 1 });
  calls.receive({ type: 'result', callId: message.callId, name: 'models/load', value: null });
  answer['a']!(2);
  await expect(size).resolves.toBe(2);
  calls.receive({ type: 'result', callId: message.callId, name: 'models/size', value: 3 });
});
