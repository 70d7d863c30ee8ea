import type { ExtensionStatus } from '../../../shared/engine/engine.ts';
import { trace } from '../../../shared/trace/trace.ts';
import type { ExtendedModel, Extension, Layers } from './extension.ts';
import { locate, missingMembers } from './webllm-pipeline.ts';

/** The handles of the extensions by name; absent for an extension that is off. */
export type HandlesOf<Table extends readonly Extension<string, unknown, never>[]> = {
  [Row in Table[number] as Row['name']]?: Row extends Extension<string, infer Handle, never> ? Handle : never;
};

/**
 * Applies a table of extensions to one of WebLLM's objects, in the table's order: a later extension wraps the methods
 * that an earlier one has replaced. The trace and the returned list say which extensions are on, and why the others are
 * off.
 *
 * @throws WebAssembly.RuntimeError if the model library traps, after which it is unusable.
 */
export async function applyExtensions<const Table extends readonly Extension<string, unknown, never>[]>(
  target: object,
  table: Table,
  model: ExtendedModel,
): Promise<{ readonly handles: HandlesOf<Table>; readonly extensions: readonly ExtensionStatus[] }> {
  const handles: Record<string, unknown> = {};
  const extensions: ExtensionStatus[] = [];
  for (const extension of table) {
    const off = await applyOne(target, extension, model, handles);
    extensions.push({ name: extension.name, off });
    if (off !== null) trace('engine', `${extension.name} is off:`, off);
  }
  const on = extensions.filter(({ off }) => off === null).map(({ name }) => name);
  trace('engine', `${on.length} of ${extensions.length} extensions of WebLLM are on:`, on.join(', '));
  return { handles: handles as HandlesOf<Table>, extensions };
}

/** Applies one extension. @returns why the extension is off; null if it is on. */
async function applyOne(
  target: object,
  { name, needs, replaces, apply }: Extension<string, unknown, never>,
  model: ExtendedModel,
  handles: Record<string, unknown>,
): Promise<string | null> {
  const missing = missingMembers(target, needs);
  if (missing.length > 0) return `this WebLLM lacks ${missing.join(', ')}`;
  const applied = await apply(target as never, model, handles);
  if ('off' in applied) return applied.off;
  const { layers = {}, handle } = applied;
  for (const method of replaces) wrap(target, method, layers);
  handles[name] = handle;
  return null;
}

function wrap(target: object, method: keyof Layers, layers: Layers): void {
  const { owner, name } = locate(target, method);
  const layer = layers[method] as ((next: unknown) => unknown) | undefined;
  if (owner === null || layer === undefined) throw new Error(`There is nothing to replace ${method} with.`);
  const replaced = Reflect.get(owner, name) as (...values: never[]) => unknown;
  Reflect.set(owner, name, layer(replaced.bind(owner)));
}
