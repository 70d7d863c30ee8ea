import { fileOf, ON_HUB, parseAddress, repository, type GgufAddressParts } from '../../../shared/models/hub-address.ts';

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
    const found = parseAddress(unwrapped(linked));
    if (found !== null) return found;
  }
  const words = line.split(/\s+/).map(unwrapped).filter(Boolean);
  const [first = '', second = ''] = words;
  return parseWords(words, first, second, line) ?? parseAddress(WITHIN.exec(line)?.[0] ?? '');
}

function parseWords(words: readonly string[], first: string, second: string, line: string): GgufAddressParts | null {
  if (words.length < 2) return parseAddress(first);
  if (words.slice(0, 4).some((word) => PROGRAM.test(word))) return parseCommand(words);
  // The name of a file may have spaces.
  if (/^https?:/i.test(first) && (!ON_HUB.test(first) || /\.gguf(?:\?\S*)?$/i.test(unwrapped(line))))
    return parseAddress(unwrapped(line));
  if (words.length === 2 && QUANTIZATION.test(second)) return parseAddress(`${first}:${second}`);
  return parseAddress(words.find((word) => ON_HUB.test(word)) ?? first);
}

/** Finds the repository in the words of a command line, and the name of a file behind it. */
function parseCommand(line: readonly string[]): GgufAddressParts | null {
  const words = line.flatMap((word) => /^(--[\w-]+)=(.*)$/.exec(word)?.slice(1).map(unwrapped) ?? [word]);
  // The value of another option can look like a repository, such as the name of a folder.
  const isValue = (at: number) => words[at - 1]?.startsWith('-') === true && !MODEL_OPTION.test(words[at - 1]!);
  const found = [...words.keys()].map((at) => ({ at, named: parseAddress(words[at]!) })).filter(({ named }) => named);
  const { at, named } = found.find((each) => !isValue(each.at)) ?? found[0] ?? { at: 0, named: null };
  if (named?.kind !== 'repository') return named;
  const file = words.find(
    (each, index) => index > at && (FILE_OPTION.test(words[index - 1]!) || /\.gguf$/i.test(each)),
  );
  if (!file) return named;
  if (!file.includes('*')) return fileOf(named.repository, named.revision, file);
  return repository(named.repository, named.revision, file.replaceAll('*', ' ').trim());
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
