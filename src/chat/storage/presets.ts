import { firstPresets } from '../strings/presets.ts';
import { DEFAULT_SETTINGS, type ConversationSettings } from '../types/conversation.ts';
import { writeNewChatSettings } from './local-values.ts';

/** Settings that can be kept: all but the model. */
export type PresetSettings = Omit<ConversationSettings, 'model'>;

/** Settings under a name. */
export interface Preset {
  readonly id: string;
  readonly name: string;
  readonly settings: PresetSettings;
}

export interface Presets {
  readonly list: readonly Preset[];
  /** Id of the one that new chats begin with; null for none. */
  readonly forNewChats: string | null;
}

/** Not in the chats' database: a page of an older build can open that only as long as it gets no further stores. */
const PRESETS = 'tabserve-presets';

/** The presets of this device; at first those that come with the page. */
export function readPresets(): Presets {
  const stored = localStorage.getItem(PRESETS);
  return (
    (stored === null ? null : parsePresets(stored)) ?? {
      list: Object.entries(TEMPERATURES).map(comesWithPage),
      forNewChats: null,
    }
  );
}

/** Characters of a name. */
export const LONGEST_NAME = 60;

/**
 * Changes the presets as they are now: another tab may have written some since they were shown here.
 * @throws DOMException `QuotaExceededError` where there is no room for them.
 */
export function changePresets(change: (now: Presets) => Presets): Presets {
  writePresets(change(readPresets()));
  return readPresets();
}

/** Calls `changed` whenever another tab has written presets. @param signal Ends that. */
export function watchPresets(changed: () => void, signal: AbortSignal): void {
  addEventListener('storage', ({ key }) => (key === PRESETS || key === null) && changed(), { signal });
}

/** @throws DOMException `QuotaExceededError` where there is no room for them. */
export function writePresets(presets: Presets): void {
  localStorage.setItem(PRESETS, JSON.stringify(presets));
  writeNewChatSettings(presets.list.find(({ id }) => id === presets.forNewChats)?.settings ?? null);
}

/** Adds those of another device that are not here, which changes nothing of those that are. @param text See {@link parsePresets}. */
export function addPresets(text: string): void {
  const added = parsePresets(text)?.list ?? [];
  const { list, forNewChats } = readPresets();
  const fresh = added.filter(({ id }) => list.every((preset) => preset.id !== id));
  if (fresh.length > 0) writePresets({ list: [...list, ...fresh], forNewChats });
}

/** The preset that these settings are, if they are one. */
export function findPreset(settings: PresetSettings, { list }: Presets): Preset | undefined {
  const key = JSON.stringify(known(settings));
  return list.find((preset) => JSON.stringify(known(preset.settings)) === key);
}

/** What this build, or another one, has written. Null for what is none of it; a field that is wrong is left to the default. */
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
  return [...name.trim()].slice(0, LONGEST_NAME).join('');
}

/** Every field of settings in one order, those of the wrong type as in the default. */
function known(given: Readonly<Record<string, unknown>> | PresetSettings): PresetSettings {
  const { model: _, ...defaults } = DEFAULT_SETTINGS;
  const fields = Object.entries(defaults).map(([name, own]) => {
    const value: unknown = (given as Readonly<Record<string, unknown>>)[name];
    return [name, isLike(value, own) ? value : own];
  });
  return Object.fromEntries(fields) as PresetSettings;
}

function isLike(value: unknown, own: unknown): boolean {
  if (own === null) return value === null || Number.isFinite(value);
  if (Array.isArray(own)) return Array.isArray(value) && value.every((text) => typeof text === 'string');
  return typeof value === typeof own;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Temperatures of the presets that come with the page: the less there is to invent, the lower. */
const TEMPERATURES = { explain: 0.5, edit: 0.2, code: 0.2, ideas: 1 } as const;

function comesWithPage([id, temperature]: [id: string, temperature: number]): Preset {
  const { name, systemPrompt } = firstPresets[id as keyof typeof TEMPERATURES];
  return { id, name, settings: known({ systemPrompt, temperature }) };
}
