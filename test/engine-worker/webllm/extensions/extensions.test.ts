import { expect, test } from 'vitest';
import {
  chainOf,
  CHAT_EXTENSIONS,
  EMBEDDING_EXTENSIONS,
  ENGINE_EXTENSIONS,
} from '../../../../src/engine-worker/webllm/extensions/extensions.ts';
import { applyExtensions } from '../../../../src/engine-worker/webllm/pipeline/apply-extensions.ts';
import type { Extension } from '../../../../src/engine-worker/webllm/pipeline/extension.ts';
import { locate, MEMBERS, type Member } from '../../../../src/engine-worker/webllm/pipeline/webllm-pipeline.ts';
import { loadedEngine } from '../support/test-engine.ts';
import { EXTENDED_MODEL, withMembers } from '../support/apply-extension.ts';

const ALL: readonly Extension<string, unknown, never>[] = [
  ...ENGINE_EXTENSIONS,
  ...CHAT_EXTENSIONS,
  ...EMBEDDING_EXTENSIONS,
];
const NEEDS = ALL.flatMap((extension) => extension.needs.map((member) => [extension.name, member, extension] as const));

test.each(NEEDS)(
  'without a member that it needs, %s is off, names %s and changes nothing',
  async (_, member, extension) => {
    const object = withMembers({}, extension.needs);
    const { owner, name } = locate(object, member);
    Reflect.deleteProperty(owner!, name);
    const before = membersOf(object);
    const { extensions } = await applyExtensions(object, [extension], EXTENDED_MODEL);
    expect(extensions).toEqual([{ name: extension.name, off: expect.stringContaining(`lacks ${member}`) }]);
    expect(membersOf(object)).toEqual(before);
  },
);

test.each(NEEDS)('a member of another kind than %s needs counts as missing: %s', async (_, member, extension) => {
  if (MEMBERS[member] === 'set') return;
  const object = withMembers({}, extension.needs);
  const { owner, name } = locate(object, member);
  Reflect.set(owner!, name, Symbol('another kind'));
  const { extensions } = await applyExtensions(object, [extension], EXTENDED_MODEL);
  expect(extensions[0]?.off).toContain(member);
});

test('every replaced member is also needed, and each extension describes its gain', () => {
  const wrong = ALL.filter(
    ({ needs, replaces, gain }) => gain.length < 20 || replaces.some((method) => !needs.includes(method)),
  );
  expect(wrong).toEqual([]);
});

test('every listed member is needed by an extension', () => {
  const needed = new Set(NEEDS.map(([, member]) => member));
  expect(Object.keys(MEMBERS).filter((member) => !needed.has(member as Member))).toEqual([]);
});

test('members that several extensions replace run through them in the listed order', () => {
  const methods = [...new Set(CHAT_EXTENSIONS.flatMap(({ replaces }) => [...replaces]))];
  const chains = methods.map((method) => [method, chainOf(method)] as const).filter(([, chain]) => chain.length > 1);
  expect(Object.fromEntries(chains)).toEqual({
    embedAndForward: ['interruptible-prefill', 'jump-forward', 'prompt-cache'],
    commitSampledStep: ['decode-ahead', 'incremental-detokenizer'],
    forwardDecodeToken: ['decode-ahead', 'cpu-sampling', 'jump-forward'],
    sampleFromRawLogits: ['decode-ahead', 'cpu-sampling'],
    sampleDecodeStep: ['decode-ahead', 'jump-forward'],
    processNextToken: ['decode-ahead', 'jump-forward', 'stop-tokens'],
  });
});

test('a library that computes prompts in parts differently has no prompt cache, and the other extensions stay on', async () => {
  const { engine } = await loadedEngine({ replies: [['x']], reuses: false });
  const off = new Map(engine.extensions?.map((extension) => [extension.name, extension.off]));
  expect(off.get('prompt-cache')).toContain('computes other logits');
  expect(off.get('decode-ahead')).toBeNull();
});

function membersOf(object: object): unknown[] {
  return Object.keys(MEMBERS).map((member) => {
    const { owner, name } = locate(object, member);
    return owner === null ? null : Reflect.get(owner, name);
  });
}
