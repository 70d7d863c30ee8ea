import { expect, test } from 'vitest';
import { OpenBodies } from '../../../src/service-worker/lifecycle/open-bodies.ts';

/** A body that sends "one" and stays open, with what its consumer does to it. */
function openBody() {
  const cancelled: unknown[] = [];
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
      controller.enqueue(new TextEncoder().encode('one'));
    },
    cancel: (reason) => void cancelled.push(reason),
  });
  return { response: new Response(body, { status: 201, headers: { 'x-kept': 'yes' } }), controller, cancelled };
}

test('a body passes through whole, with its status and headers', async () => {
  const { response, controller } = openBody();
  const tracked = new OpenBodies().track('a', response);
  controller.enqueue(new TextEncoder().encode(' two'));
  controller.close();
  expect([tracked.status, tracked.headers.get('x-kept')]).toEqual([201, 'yes']);
  expect(await tracked.text()).toBe('one two');
});

test('the bodies of a frozen page end with an error, those of others go on', async () => {
  const bodies = new OpenBodies();
  const [frozen, other] = [openBody(), openBody()];
  const ofFrozen = bodies.track('frozen', frozen.response).text();
  const ofOther = bodies.track('other', other.response).text();
  bodies.breakOff('frozen');
  await expect(ofFrozen).rejects.toThrow('The page was frozen.');
  expect(frozen.cancelled).toHaveLength(1);
  other.controller.close();
  expect(await ofOther).toBe('one');
  expect(other.cancelled).toEqual([]);
});

test('a cancelled body cancels its source with the reason, and one that fails fails alike', async () => {
  const bodies = new OpenBodies();
  const [cancelled, failing] = [openBody(), openBody()];
  await bodies.track('a', cancelled.response).body!.cancel('enough');
  expect(cancelled.cancelled).toEqual(['enough']);
  const text = bodies.track('a', failing.response).text();
  failing.controller.error(new Error('The engine is gone.'));
  await expect(text).rejects.toThrow('The engine is gone.');
  bodies.breakOff('a');
});

test('a response without a body is passed on unchanged', () => {
  const response = new Response(null, { status: 204 });
  expect(new OpenBodies().track('a', response)).toBe(response);
});
