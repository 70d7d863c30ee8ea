import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UsableModelsController } from '../../../src/chat/common/usable-models-controller.ts';
import type { PageStatus, Tabserve } from '../../../src/page/index.ts';

const lists = vi.fn<() => Promise<Response>>(async () => Response.json({ data: [{ id: 'pocket' }] }));

beforeEach(() => {
  vi.stubGlobal('navigator', { serviceWorker: { controller: {} } });
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('fetch', lists);
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('location', { href: 'https://site.example/' });
});

afterEach(() => {
  lists.mockClear();
  vi.unstubAllGlobals();
});

/** Connects the controller to an endpoint, and returns a function that sets the endpoint's status. */
async function connect() {
  const tabserve = Object.assign(new EventTarget(), { status: { state: 'starting', message: '' } as PageStatus });
  const controllers: ReactiveController[] = [];
  const host = Object.assign(new EventTarget(), {
    addController: (controller: ReactiveController) => void controllers.push(controller),
    removeController: () => {},
    requestUpdate: () => {},
    updateComplete: Promise.resolve(true),
  });
  host.addEventListener('context-request', (event) =>
    (event as Event & { callback: (value: unknown) => void }).callback(tabserve),
  );
  const models = new UsableModelsController(host as unknown as ReactiveControllerHost & HTMLElement);
  for (const controller of controllers) controller.hostConnected?.();
  await settle();
  const become = async (changes: object): Promise<void> => {
    tabserve.status = { message: '', ...changes } as unknown as Tabserve['status'];
    tabserve.dispatchEvent(new Event('statuschange'));
    await settle();
  };
  return { models, become };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

test('while the endpoint starts with a listed model, the list is requested once', async () => {
  const { models, become } = await connect();
  await become({ state: 'starting' });
  for (const progress of [0, 0.5, 1]) await become({ state: 'loading', model: 'pocket', progress });
  await become({ state: 'ready', model: 'pocket' });
  await become({ state: 'ready', model: 'pocket', promptCache: {} });
  expect(models.models).toEqual([{ id: 'pocket' }]);
  expect(lists).toHaveBeenCalledOnce();
});

test('a loaded model that is not listed, and the end of the engine, have the list requested again', async () => {
  const { become } = await connect();
  await become({ state: 'loading', model: 'new', progress: 0 });
  expect(lists).toHaveBeenCalledTimes(1);
  await become({ state: 'ready', model: 'new' });
  expect(lists).toHaveBeenCalledTimes(2);
  await become({ state: 'idle' });
  expect(lists).toHaveBeenCalledTimes(3);
});
