import type { ExtendedModel, Extension } from '../../../../src/engine-worker/webllm/pipeline/extension.ts';
import { applyExtensions } from '../../../../src/engine-worker/webllm/pipeline/apply-extensions.ts';
import {
  locate,
  MEMBERS,
  missingMembers,
  type Member,
} from '../../../../src/engine-worker/webllm/pipeline/webllm-pipeline.ts';
import { NO_TEMPLATE } from '../../../../src/engine-worker/webllm/prompt/chat-template.ts';
import { builtInModel } from '../../../../src/shared/models/built-in-models.ts';

/** The built-in model, as extensions receive it. */
export const EXTENDED_MODEL: ExtendedModel = {
  entry: builtInModel('https://site.test/'),
  template: NO_TEMPLATE,
  vocabularySize: 10,
  gpuName: async () => '',
  checks: { get: async () => 'checkpoints', put: async () => {} },
  onCheckStep: () => {},
  promptMemory: 0,
  smallVocabulary: 2 ** 14,
};

const STANDINS = {
  function: () => () => undefined,
  number: () => 0,
  boolean: () => false,
  string: () => '',
  array: () => [],
  map: () => new Map(),
  object: () => ({}),
  set: () => null,
} as const;

/** Adds missing members to an object, as empty functions or objects. */
export function withMembers<Value extends object>(object: Value, members: readonly Member[]): Value {
  for (const member of missingMembers(object, members)) {
    const path = member.split('.');
    for (const end of path.keys()) {
      const { owner, name } = locate(object, path.slice(0, end).join('.'));
      if (end > 0 && owner !== null && !(name in owner)) Reflect.set(owner, name, {});
    }
    const { owner, name } = locate(object, member);
    Reflect.set(owner!, name, STANDINS[MEMBERS[member]]());
  }
  return object;
}

/**
 * Applies one extension to a fake of WebLLM's pipeline that has only the members of the test.
 * @returns its handle. @throws Error if it is off.
 */
export async function applyExtension<Handle>(
  pipeline: object,
  extension: Extension<string, Handle, never>,
  model: Partial<ExtendedModel> = {},
): Promise<Handle> {
  withMembers(pipeline, extension.needs);
  const { handles, extensions } = await applyExtensions(pipeline, [extension], { ...EXTENDED_MODEL, ...model });
  const [status] = extensions;
  if (status?.off !== null) throw new Error(status?.off);
  return handles[extension.name] as Handle;
}
