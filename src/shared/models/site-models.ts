import {
  BUILT_IN_EMBEDDING_MODEL_ID,
  BUILT_IN_MODEL_ID,
  builtInGgufUrl,
  builtInModels,
  DECLINE,
  isBuiltIn,
} from './built-in-models.ts';
import { namesHub, parseAddress } from './hub-address.ts';
import { MAX_PARALLEL } from './model-settings.ts';
import { requireOption } from '../require-option.ts';
import type { ModelEntry } from './model-entry.ts';

/**
 * A model that a site provides. It is always listed, and downloaded when it is first loaded. It is a package for WebLLM
 * or a GGUF file for llama.cpp.
 */
export type SiteModel = SitePackage | SiteGguf;

/**
 * `contextWindow` and `vocabularySize` are `context_window_size` and `vocab_size` in the package's
 * `mlc-chat-config.json`. Defaults: temperature and `top_p` 1, no images, no thinking, a chat model.
 */
type SitePackage = Pick<ModelEntry, 'id' | 'contextWindow' | 'vocabularySize' | 'modelUrl' | 'libraryUrl'> &
  Partial<ModelEntry>;

/**
 * Defaults: a context window of 4,096 tokens, temperature 0.8, `top_p` 0.95, one request at a time, a chat model whose file
 * has a chat template.
 */
export interface SiteGguf extends Partial<
  Pick<
    ModelEntry,
    | 'created'
    | 'ownedBy'
    | 'contextWindow'
    | 'defaultTemperature'
    | 'defaultTopP'
    | 'parallel'
    | 'keepAlive'
    | 'cacheBits'
    | 'embedding'
    | 'chatTemplate'
  >
> {
  readonly id: string;
  /** Address of the file. */
  readonly gguf: string;
  /** Address of the file with the model's image encoder, which llama.cpp calls `mmproj`. Default: no images. */
  readonly mmproj?: string;
}

/** A site's options for models. Addresses are relative to the scope of its service worker. */
export interface ModelOptions {
  /** Models that the site provides. Default: none. */
  readonly models?: readonly SiteModel[];
  /** Ids of the built-in models that the site provides, too. Default: both. */
  readonly builtInModels?: readonly string[];
  /**
   * Whether the site serves llama.cpp's files (`npx tabserve init --gguf`). If so, the built-in chat model runs on the
   * CPU where WebGPU is missing. Default: true if `models` contains a GGUF file.
   */
  readonly gguf?: boolean;
  /** `base` is the address of a mirror; `docs/your-site.md` has its layout. Default: the catalogue's own hosts. */
  readonly catalogue?: { readonly base: string };
  /**
   * Set false for a strict site, whose models come from its own origin or from the person's disk. Downloads from other
   * hosts are then refused before a request is sent, and the catalogue is not offered. Default: the headers of the
   * engine worker's script decide.
   */
  readonly modelHosts?: boolean;
  /**
   * Whether models of the catalogue are downloaded with the library that uses GPU subgroups, if the device supports
   * them. Set false to compare both libraries. Default: true.
   */
  readonly subgroups?: boolean;
  /** Id of the model for requests without `model`; it is listed first. Default: such requests are rejected. */
  readonly default?: string;
}

/**
 * Values for facts of a GGUF model that only its file states. A wrong vocabulary size does no harm: llama.cpp ignores
 * tokens outside the vocabulary.
 */
export const GGUF_DEFAULTS = {
  format: 'gguf',
  contextWindow: 4096,
  vocabularySize: 2 ** 31,
  defaultTemperature: 0.8,
  defaultTopP: 0.95,
} as const;

const ALL_BUILT_IN: readonly string[] = [BUILT_IN_MODEL_ID, BUILT_IN_EMBEDDING_MODEL_ID];

/** {@link ModelOptions} with absolute addresses. */
export interface SiteModels {
  /** The models that the site provides, built-in ones included. */
  readonly entries: readonly ModelEntry[];
  /** Base address of the catalogue's mirror, with a trailing slash; null without a mirror. */
  readonly catalogueBase: string | null;
  /** Set if {@link ModelOptions.subgroups} is false. */
  readonly noSubgroups?: true;
  /** Set if {@link ModelOptions.modelHosts} is false. */
  readonly isStrict?: true;
}

/** Whether an address is on the origin of a site. */
export function isOfSite(address: string, site: string): boolean {
  return new URL(address).origin === new URL(site).origin;
}

/** Returns the ids of a site's models that run without WebGPU. */
export function modelsForProcessor(models: SiteModels | undefined): readonly string[] {
  return (
    models?.entries.flatMap(({ format, ggufUrl, id }) => (format === 'gguf' || ggufUrl !== undefined ? [id] : [])) ?? []
  );
}

/**
 * Validates a site's options for models, and makes their addresses absolute.
 * @param site Root of the site with a trailing slash.
 * @throws TypeError for an invalid option; the message is a sentence for the developer.
 */
export function readSiteModels(options: ModelOptions, site: string): SiteModels {
  const { models = [], builtInModels: wanted = ALL_BUILT_IN, catalogue, default: first = '' } = options;
  requireOption(
    Array.isArray(wanted) && wanted.every(isBuiltIn),
    'builtInModels',
    `an array of ${ALL_BUILT_IN.join(', ')}`,
  );
  requireOption(Array.isArray(models), 'models', 'an array');
  requireOption(typeof first === 'string', 'default', 'an id');
  const { subgroups = true } = options;
  requireOption(typeof subgroups === 'boolean', 'subgroups', 'true or false');
  const { gguf = models.some((model) => model !== null && 'gguf' in model) } = options;
  requireOption(typeof gguf === 'boolean', 'gguf', 'true or false');
  const entries: ModelEntry[] = builtInModels(site)
    .filter(({ id }) => wanted.includes(id))
    .map((entry) => (gguf && !entry.embedding ? { ...entry, ggufUrl: builtInGgufUrl(site) } : entry));
  models.forEach((model: Partial<SitePackage & SiteGguf> | null, index) => {
    const entry = readSiteModel(model ?? {}, `models[${index}].`, site);
    requireOption(
      entries.every((other) => other.id !== entry.id),
      `models[${index}].id`,
      'an id of its own',
    );
    entries.push(entry);
  });
  const catalogueBase = catalogue ? folder(readAddress(catalogue.base, 'catalogue.base', site)) : null;
  const { modelHosts = true } = options;
  requireOption(typeof modelHosts === 'boolean', 'modelHosts', 'true or false');
  if (!modelHosts) {
    const addresses = entries.flatMap(({ modelUrl, libraryUrl, mmproj }) => [modelUrl, libraryUrl, mmproj ?? '']);
    const foreign = [...addresses, catalogueBase ?? ''].find((address) => address !== '' && !isOfSite(address, site));
    requireOption(foreign === undefined, 'modelHosts', `left out, because ${foreign} is on another host`);
  }
  const rank = ({ id }: ModelEntry) => (id === first ? 0 : 1);
  return {
    entries: entries.toSorted((one, other) => rank(one) - rank(other)),
    catalogueBase,
    ...(!subgroups && { noSubgroups: true }),
    ...(!modelHosts && { isStrict: true }),
  };
}

function readSiteModel(model: Partial<SitePackage & SiteGguf>, option: string, site: string): ModelEntry {
  const { gguf, mmproj, ...given } = model;
  const { id = '', contextWindow = 0, vocabularySize = 0, ...facts } = { ...(gguf && GGUF_DEFAULTS), ...given };
  requireOption(typeof id === 'string' && id, `${option}id`, 'an id of its own');
  requireOption(contextWindow >= 1 && contextWindow % 1 === 0, `${option}contextWindow`, 'a number of tokens');
  const { parallel = 1, keepAlive, cacheBits } = facts;
  requireOption(
    cacheBits === undefined || (gguf !== undefined && (cacheBits === 8 || cacheBits === 16)),
    `${option}cacheBits`,
    '8 or 16, and left out unless the model is a GGUF file',
  );
  requireOption(keepAlive === undefined || Number.isFinite(keepAlive), `${option}keepAlive`, 'a number of seconds');
  requireOption(
    parallel === 1 ||
      (gguf !== undefined && !facts.embedding && parallel % 1 === 0 && parallel > 1 && parallel <= MAX_PARALLEL),
    `${option}parallel`,
    `a number from 1 to ${MAX_PARALLEL}, and 1 unless the model is a GGUF file that chats`,
  );
  requireOption(
    mmproj === undefined || (gguf !== undefined && !facts.embedding),
    `${option}mmproj`,
    'left out unless the model is a GGUF file that chats',
  );
  // llama.cpp encodes an image in one step. Meanwhile the other answers would get no token, and time out.
  requireOption(
    mmproj === undefined || parallel === 1,
    `${option}parallel`,
    '1 if the model has mmproj, because the other answers would wait while an image is encoded',
  );
  requireOption(vocabularySize >= 1 && vocabularySize % 1 === 0, `${option}vocabularySize`, 'a number of tokens');
  return {
    created: 0,
    ownedBy: 'site',
    defaultTemperature: 1,
    defaultTopP: 1,
    images: false,
    thinking: null,
    // The built-in model, served by another server.
    ...(id === BUILT_IN_MODEL_ID && gguf === undefined && { decline: DECLINE }),
    ...facts,
    id,
    contextWindow,
    vocabularySize,
    ...(gguf === undefined
      ? {
          modelUrl: folder(readAddress(model.modelUrl, `${option}modelUrl`, site)),
          libraryUrl: readAddress(model.libraryUrl, `${option}libraryUrl`, site),
        }
      : { modelUrl: readGgufAddress(gguf, `${option}gguf`, site), libraryUrl: '' }),
    ...(mmproj !== undefined && { mmproj: readGgufAddress(mmproj, `${option}mmproj`, site), images: true }),
    ofSite: true,
  };
}

function readAddress(value: unknown, option: string, site: string): string {
  const address = typeof value === 'string' && URL.canParse(value, site) ? new URL(value, site).href : '';
  requireOption(/^https?:/.test(address), option, 'an http(s) address');
  return address;
}

/** Reads the address of a GGUF file, also that of its page on Hugging Face. */
function readGgufAddress(value: unknown, option: string, site: string): string {
  const address = typeof value === 'string' ? value.trim() : '';
  if (!namesHub(address)) return readAddress(value, option, site);
  const named = parseAddress(address);
  requireOption(named?.kind === 'file', option, 'the address of a file. A repository has many: name one of its files');
  return named.address;
}

function folder(address: string): string {
  return address.replace(/\/?$/, '/');
}
