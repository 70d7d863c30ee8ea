/** What an address of a GGUF model names. */
export type GgufAddressParts =
  /** A file on any server. */
  | { readonly kind: 'file'; readonly address: string }
  /** A repository on Hugging Face; its list of files is needed to find the file. */
  | {
      readonly kind: 'repository';
      /** `owner/name`. */
      readonly repository: string;
      /** Branch, tag or commit. */
      readonly revision: string;
      /** Part of the name of the file, mostly a quantization such as `Q4_K_M`; null if none is named. */
      readonly quantization: string | null;
    };

const HUB = 'https://huggingface.co/';

/** Matches the beginning of an address on Hugging Face, with or without a scheme. */
export const ON_HUB = /^(?:(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co)\/|(?:hf|huggingface):(?:\/\/)?)/i;

/** Matches `owner/name`, which tools for models take for a repository on Hugging Face. */
const REPOSITORY = /^[\w-][\w.-]*\/[\w-][\w.-]*$/;

/** Paths on Hugging Face that begin like a repository's and are none. */
const NO_MODELS = /^(?:api|datasets|spaces|docs|papers|collections|blog|settings|organizations|models)\//i;

/**
 * Whether a text names Hugging Face, or a repository with a quantization behind a colon. Other texts that {@link
 * parseAddress} takes for a repository can also be relative paths.
 */
export function namesHub(text: string): boolean {
  return ON_HUB.test(text) || /^[\w.-]+\/[\w.-]+:[\w.-]+$/.test(text);
}

/**
 * Reads a single word: the address of a file, an address on Hugging Face, or a repository, perhaps with a quantization.
 * @returns null for a word that names no model.
 */
export function parseAddress(word: string): GgufAddressParts | null {
  if (ON_HUB.test(word)) return parseHubPath(word.replace(ON_HUB, ''));
  if (/^https?:\/\//i.test(word)) {
    const url = URL.parse(word);
    if (url === null || url.hostname === '') return null;
    url.hash = '';
    return { kind: 'file', address: url.href };
  }
  const [path = '', quantization, ...further] = word.replace(/(?<!\/)\/+$/, '').split(/[:@]/);
  const isFile = /\.gguf$/i.test(path);
  const [owner, name, ...rest] = path.split('/');
  if (isFile && rest.length > 0 && REPOSITORY.test(`${owner}/${name}`)) return parseHubPath(word);
  return isFile || !REPOSITORY.test(path) || further.length > 0 ? null : repository(path, 'main', quantization);
}

/** @param rest What follows the host: `owner/name`, perhaps with a quantization, a path and a query. */
function parseHubPath(rest: string): GgufAddressParts | null {
  const url = URL.parse(rest.replace(/^\/+/, ''), HUB);
  if (url === null) return null;
  const path = url.pathname.replace(/^\/(?:api\/models\/)?/, '').replace(/(?<!\/)\/+$/, '');
  const [owner = '', named = '', view, revision = 'main', ...within] = path.split('/').map(decoded);
  const [name = '', quantization] = named.replace(/\.git$/, '').split(':');
  if (NO_MODELS.test(path) || !REPOSITORY.test(`${owner}/${name}`)) return null;
  const shown = url.searchParams.get('show_file_info');
  if (shown) return fileOf(`${owner}/${name}`, view === 'tree' ? revision : 'main', shown);
  const file = within.join('/');
  if ((view === 'blob' || view === 'resolve' || view === 'raw') && /\.gguf$/i.test(file))
    return fileOf(`${owner}/${name}`, revision, file);
  if (view !== undefined && !/^(?:tree|blob|resolve|raw)$/.test(view) && /\.gguf$/i.test(path))
    return fileOf(`${owner}/${name}`, 'main', path.split('/').slice(2).map(decoded).join('/'));
  if (view === 'tree') return repository(`${owner}/${name}`, revision, quantization ?? (file || undefined));
  return repository(`${owner}/${name}`, view === 'blob' || view === 'resolve' ? revision : 'main', quantization);
}

/** Names a repository, and a quantization if one is given. */
export function repository(name: string, revision: string, quantization: string | undefined): GgufAddressParts {
  // Ollama writes `latest` if no quantization is named.
  const isNamed = quantization !== undefined && quantization !== '' && quantization !== 'latest';
  const stem = isNamed ? quantization.replace(/\.gguf$/i, '') : null;
  return { kind: 'repository', repository: name, revision, quantization: stem };
}

/** Names a file of a repository. */
export function fileOf(name: string, revision: string, path: string): Extract<GgufAddressParts, { kind: 'file' }> {
  const file = path.replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/');
  return { kind: 'file', address: `${HUB}${name}/resolve/${encodeURIComponent(revision)}/${file}` };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
