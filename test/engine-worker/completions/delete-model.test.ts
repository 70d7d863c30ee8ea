import { beforeEach, expect, test } from 'vitest';
import type { Completion } from '../../../src/engine-worker/completions/completion.ts';
import { Completions } from '../../../src/engine-worker/completions/completions.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { ScriptedEngine } from '../../support/fakes/scripted-engine.ts';

const SITE = 'https://site.test/';
const entry = (id: string): ModelEntry => ({ ...builtInModel(SITE), id });

let engine: ScriptedEngine;
let completions: Completions;
/** Ids of the models on the device. */
let present: Set<string>;
let count = 0;
/** Ends the deletion that has begun. */
let goOn: () => void;

beforeEach(() => {
  present = new Set(['a', 'b']);
  engine = new ScriptedEngine();
  completions = new Completions({ engine, findModel: async (id) => (present.has(id) ? entry(id) : null) });
});

function ask(id: string, text = 'one'): Completion {
  const options = { requestId: `${count}`, fingerprint: `${count++}`, holdTime: null };
  return completions.start(completionRequest(text, id) as never, options, SITE);
}

function endOf({ log }: Completion): string {
  let end = 'none';
  log.subscribe((event) => (end = event.type === 'error' ? event.error.code : event.type));
  return end;
}

function remove(id: string): Promise<void> {
  return completions.deleteModel(id, async () => {
    engine.history.push(`files of ${id} go`);
    await new Promise<void>((resolve) => (goOn = resolve));
    present.delete(id);
    engine.history.push(`files of ${id} gone`);
  });
}

test('the files of a model stay until the answers that need it have ended, and the next request does not find it', async () => {
  const before = ask('a');
  await engine.advance(4);
  const removed = remove('a');
  const after = ask('a', 'two');
  await engine.advance(20);
  expect(endOf(before)).toBe('done');
  expect(engine.history).toEqual(['load a', 'generate a: one', 'unload', 'files of a go']);
  goOn();
  await removed;
  await engine.advance(3);
  expect(endOf(after)).toBe('model_not_found');
  expect(completions.status).toEqual({ state: 'idle' });
});

test('the files of a model that nobody needs go at once, while another one answers', async () => {
  const other = ask('b');
  await engine.advance(11);
  const removed = remove('a');
  await engine.advance(1);
  goOn();
  await removed;
  await engine.advance(5);
  expect(engine.history).toEqual(['load b', 'generate b: one', 'files of a go', 'files of a gone']);
  expect(endOf(other)).toBe('done');
});

test('a request for a model whose files are going waits until they are gone', async () => {
  const removed = remove('a');
  const asked = ask('a');
  await engine.advance(5);
  expect(engine.history).toEqual(['files of a go']);
  goOn();
  await removed;
  await engine.advance(3);
  expect(endOf(asked)).toBe('model_not_found');
});
