import { firstPresets } from '../strings/preset-strings.ts';
import { DEFAULT_SETTINGS, isToolName, type ConversationSettings } from '../types/conversation.ts';
import { writeNewChatSettings } from './local-storage-values.ts';

export type PresetSettings = Omit<ConversationSettings, 'model'>;

export interface Preset {
  readonly id: string;
  readonly name: string;
  readonly settings: PresetSettings;
}

export interface Presets {
  readonly list: readonly Preset[];
  /** Id of the preset for new chats; null for none. */
  readonly forNewChats: string | null;
}

/**
 * Key of the presets in localStorage. They are not in the database, because another object store would need a version
 * that pages of older builds cannot open.
 */
const PRESETS = 'tabserve-presets';

/** The presets of this device. Default: the built-in ones. */
export function readPresets(): Presets {
  const stored = localStorage.getItem(PRESETS);
  return (
    (stored === null ? null : parsePresets(stored)) ?? {
      list: Object.entries(TEMPERATURES).map(comesWithPage),
      forNewChats: null,
    }
  );
}

export const MAX_NAME_LENGTH = 60;

/**
 * Changes the stored presets, which another tab may have changed.
 * @throws DOMException `QuotaExceededError` if local storage is full.
 */
export function changePresets(change: (now: Presets) => Presets): Presets {
  writePresets(change(readPresets()));
  return readPresets();
}

/**
 * Calls `changed` when another tab writes presets.
 * @param signal Ends the subscription.
 */
export function watchPresets(changed: () => void, signal: AbortSignal): void {
  addEventListener('storage', ({ key }) => (key === PRESETS || key === null) && changed(), { signal });
}

/**
 * Stores the presets.
 * @throws DOMException `QuotaExceededError` if local storage is full.
 */
export function writePresets(presets: Presets): void {
  localStorage.setItem(PRESETS, JSON.stringify(presets));
  writeNewChatSettings(presets.list.find(({ id }) => id === presets.forNewChats)?.settings ?? null);
}

/**
 * Adds imported presets whose ids are new; existing ones stay unchanged.
 * @param text See {@link parsePresets}.
 */
export function addPresets(text: string): void {
  const added = parsePresets(text)?.list ?? [];
  const { list, forNewChats } = readPresets();
  const fresh = added.filter(({ id }) => list.every((preset) => preset.id !== id));
  if (fresh.length > 0) writePresets({ list: [...list, ...fresh], forNewChats });
}

/** The preset with exactly these settings; undefined if there is none. */
export function findPreset(settings: PresetSettings, { list }: Presets): Preset | undefined {
  const key = JSON.stringify(known(settings));
  return list.find((preset) => JSON.stringify(known(preset.settings)) === key);
}

/** Parses presets that any build has written; null for any other text. An invalid field gets its default. */
export function parsePresets(text: string): Presets | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(parsed) || !Array.isArray(parsed['list'])) return null;
  const byId = new Map<string, Preset>();
  for (const { id, name, settings } of (parsed['list'] as readonly unknown[]).filter(isObject)) {
    const isWhole = typeof id === 'string' && typeof name === 'string' && name.trim() !== '' && isObject(settings);
    if (isWhole && !byId.has(id)) byId.set(id, { id, name: shortName(name), settings: known(settings) });
  }
  const list = [...byId.values()];
  return { list, forNewChats: list.find(({ id }) => id === parsed['forNewChats'])?.id ?? null };
}

function shortName(name: string): string {
  return [...name.trim()].slice(0, MAX_NAME_LENGTH).join('');
}

/** Returns all fields of settings in a fixed order; a field of the wrong type gets its default. */
function known(given: Readonly<Record<string, unknown>> | PresetSettings): PresetSettings {
  const { model: _, ...defaults } = DEFAULT_SETTINGS;
  const fields = Object.entries(defaults).map(([name, own]) => {
    const value: unknown = (given as Readonly<Record<string, unknown>>)[name];
    return [name, isLike(value, own) ? value : own];
  });
  const settings = Object.fromEntries(fields) as PresetSettings;
  // Imported files and other builds may name tools that this page does not have.
  return { ...settings, tools: settings.tools?.filter(isToolName) };
}

function isLike(value: unknown, own: unknown): boolean {
  if (own === null) return value === null || Number.isFinite(value);
  if (Array.isArray(own)) return Array.isArray(value) && value.every((text) => typeof text === 'string');
  return typeof value === typeof own;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Temperatures of the built-in presets: lower for tasks that need less invention. */
const TEMPERATURES = { explain: 0.5, edit: 0.2, code: 0.2, ideas: 1 } as const;

function comesWithPage([id, temperature]: [id: string, temperature: number]): Preset {
  const { name, systemPrompt } = firstPresets[id as keyof typeof TEMPERATURES];
  return { id, name, settings: known({ systemPrompt, temperature }) };
}
