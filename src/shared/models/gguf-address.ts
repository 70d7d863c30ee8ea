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
const ON_HUB = /^(?:(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co)\/|(?:hf|huggingface):(?:\/\/)?)/i;

/** Matches `owner/name`, which tools for models take for a repository on Hugging Face. */
const REPOSITORY = /^[\w-][\w.-]*\/[\w-][\w.-]*$/;

/** Paths on Hugging Face that begin like a repository's and are none. */
const NO_MODELS = /^(?:api|datasets|spaces|docs|papers|collections|blog|settings|organizations|models)\//i;

/** Programs whose command lines name a model by its repository, as the pages of models print them. */
const PROGRAM =
  /^(?:\S*[\\/])?(?:ollama|llama(?:[-.]\w+)*|docker|podman|lms|lemonade|hf|huggingface-cli|git|wget|curl|npx|pip|uvx?)(?:\.exe)?$/i;

/** Options of such programs whose value is a repository or an address. */
const MODEL_OPTION = /^(?:-hfr?|--hf-repo|-mu|--model-url|--repo)$/;

/** An address on Hugging Face within other text, such as HTML. */
const WITHIN =
  /(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co)\/[^\s"'`<>()[\]{}。，、；！？（）【】「」『』《》]+/i;

/** Matches a quantization that is written behind a repository, with a space. */
const QUANTIZATION = /^(?:UD-)?(?:I?Q\d|TQ\d|BF16|F16|F32|MXFP4)\w*$/i;

/** Options of such programs whose value names the file within the repository. */
const FILE_OPTION = /^(?:-hff|--hf-file|--include|--filename)$/;

/**
 * Reads an address of a GGUF model in the forms in which people copy it: the address of a file, the page of a file or
 * a repository on Hugging Face, `owner/name:Q4_K_M`, or lines of a program that have one of them. Quotes and the
 * marks of Markdown around it are ignored.
 * @returns null for a text that names no model.
 */
export function parseGgufAddress(text: string): GgufAddressParts | null {
  const [, inPython] = /repo_id\s*=\s*["']([^"']+)/.exec(text) ?? [];
  const [, fileInPython] = /filename\s*=\s*["']([^"']+)/.exec(text) ?? [];
  if (inPython !== undefined) return parseCommand(['--repo', inPython, '--filename', fileInPython ?? '']);
  for (const line of text.split(/[\r\n]+/)) {
    const found = /^\s*(?:#|```)/.test(line) ? null : parseLine(line.trim());
    if (found !== null) return found;
  }
  return null;
}

function parseLine(line: string): GgufAddressParts | null {
  for (const [, linked = ''] of line.matchAll(/\[[^[\]]*\]\(\s*<?([^)>\s]+)/g)) {
    const found = parseWord(unwrapped(linked));
    if (found !== null) return found;
  }
  const words = line.split(/\s+/).map(unwrapped).filter(Boolean);
  const [first = '', second = ''] = words;
  return parseWords(words, first, second, line) ?? parseWord(WITHIN.exec(line)?.[0] ?? '');
}

function parseWords(words: readonly string[], first: string, second: string, line: string): GgufAddressParts | null {
  if (words.length < 2) return parseWord(first);
  if (words.slice(0, 4).some((word) => PROGRAM.test(word))) return parseCommand(words);
  // The name of a file may have spaces.
  if (/^https?:/i.test(first) && (!ON_HUB.test(first) || /\.gguf(?:\?\S*)?$/i.test(unwrapped(line))))
    return parseWord(unwrapped(line));
  if (words.length === 2 && QUANTIZATION.test(second)) return parseWord(`${first}:${second}`);
  return parseWord(words.find((word) => ON_HUB.test(word)) ?? first);
}

/**
 * Whether a text names Hugging Face, or a repository with a quantization behind a colon. Other texts that {@link
 * parseGgufAddress} takes for a repository can also be relative paths.
 */
export function namesHub(text: string): boolean {
  const word = unwrapped(text.trim());
  return ON_HUB.test(word) || /^[\w.-]+\/[\w.-]+:[\w.-]+$/.test(word);
}

/** Finds the repository in the words of a command line, and the name of a file behind it. */
function parseCommand(line: readonly string[]): GgufAddressParts | null {
  const words = line.flatMap((word) => /^(--[\w-]+)=(.*)$/.exec(word)?.slice(1).map(unwrapped) ?? [word]);
  // The value of another option can look like a repository, such as the name of a folder.
  const isValue = (at: number) => words[at - 1]?.startsWith('-') === true && !MODEL_OPTION.test(words[at - 1]!);
  const found = [...words.keys()].map((at) => ({ at, named: parseWord(words[at]!) })).filter(({ named }) => named);
  const { at, named } = found.find((each) => !isValue(each.at)) ?? found[0] ?? { at: 0, named: null };
  if (named?.kind !== 'repository') return named;
  const file = words.find(
    (each, index) => index > at && (FILE_OPTION.test(words[index - 1]!) || /\.gguf$/i.test(each)),
  );
  if (!file) return named;
  if (!file.includes('*')) return fileOf(named.repository, named.revision, file);
  return repository(named.repository, named.revision, file.replaceAll('*', ' ').trim());
}

function parseWord(word: string): GgufAddressParts | null {
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

function repository(name: string, revision: string, quantization: string | undefined): GgufAddressParts {
  // Ollama writes `latest` if no quantization is named.
  const isNamed = quantization !== undefined && quantization !== '' && quantization !== 'latest';
  const stem = isNamed ? quantization.replace(/\.gguf$/i, '') : null;
  return { kind: 'repository', repository: name, revision, quantization: stem };
}

function fileOf(name: string, revision: string, path: string): GgufAddressParts {
  const file = path.replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/');
  return { kind: 'file', address: `${HUB}${name}/resolve/${encodeURIComponent(revision)}/${file}` };
}

/** Removes quotes, brackets, punctuation, Markdown's `**` and invisible characters around an address. */
function unwrapped(word: string): string {
  return word
    .replaceAll('**', '')
    .replace(/^[\u200B-\u200D\uFEFF\s"'`“”„‘’«»‹›<([{（【「『《、，：]+/u, '')
    .replace(
      /(?<![\u200B-\u200D\uFEFF\s"'`“”„‘’«»‹›>)\]},;.!?:。，、；：！？）】」』》])[\u200B-\u200D\uFEFF\s"'`“”„‘’«»‹›>)\]},;.!?:。，、；：！？）】」』》]+$/u,
      '',
    );
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
