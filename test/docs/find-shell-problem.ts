import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { findRoute } from '../../src/service-worker/routes/find-route.ts';

const { scripts } = JSON.parse(readFileSync(join(PROJECT_FOLDER, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Commands that exist on every machine with Node. */
const ORDINARY_COMMANDS = ['cd', 'cp', 'mkdir', 'git'];
/** Folder with a file for each command of `npx tabserve`. */
const TABSERVE_COMMANDS = 'src/command-line/commands';
/** Folder with a file for each command that only `npm` runs, in this repository. */
const REPOSITORY_COMMANDS = 'scripts/commands';
const NPM_COMMANDS = ['ci', 'create', 'install', 'pack', 'publish'];

/**
 * Finds something in a shell snippet that does not exist here: a command, an option, or a route of the endpoint.
 * @returns null if there is nothing.
 */
export function findShellProblem(code: string): string | null {
  for (const words of readCommands(code)) {
    const problem = findCommandProblem(words.slice(words.findIndex((word) => !/^\w+=/.test(word))));
    if (problem !== null) return problem;
  }
  return null;
}

/** Returns the commands of a snippet as lists of words, without comments, quotes and preceding variables. */
function readCommands(code: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  const pattern = /#.*|\\\n|\n|&&|\|\|?|;|<|>|((?:'[^']*'|"[^"]*"|[^\s'"#&|;<>])+)|(\S)/g;
  for (const [part, word, rest] of code.matchAll(pattern)) {
    if (rest !== undefined) throw new Error(`What begins with ${rest} is no shell command: ${code}`);
    if (word !== undefined) commands.at(-1)!.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
    else if (!/^(#|\\)/.test(part)) commands.push([]);
  }
  return commands.filter(({ length }) => length > 0);
}

function findCommandProblem([command = '', ...words]: readonly string[]): string | null {
  const [first = '', ...rest] = words.filter((word) => word !== '-s');
  switch (command) {
    case 'npm':
      if (NPM_COMMANDS.includes(first)) return null;
      return first === 'run' ? findScriptProblem(rest) : findScriptProblem([first, ...rest]);
    case 'npx':
      return first === 'tabserve' ? findTabserveProblem(rest) : findToolProblem(first, rest);
    case 'curl':
      return findRequestProblem(words);
    default:
      return ORDINARY_COMMANDS.includes(command) ? null : `${command} is no command that is known here.`;
  }
}

function findScriptProblem([name = '', ...words]: readonly string[]): string | null {
  const script = scripts[name];
  if (script === undefined) return `package.json has no script ${name}.`;
  const command = /tabserve-from-source\.ts (\w+)/.exec(script)?.[1];
  if (command !== undefined) return findTabserveProblem([command, ...words], [TABSERVE_COMMANDS, REPOSITORY_COMMANDS]);
  const entry = /tsx (\S+\.ts)/.exec(script)?.[1];
  if (entry !== undefined) return findOptionProblem([dirname(entry)], words);
  const file = words.find((word) => word.startsWith('test/'));
  return file === undefined || existsSync(join(PROJECT_FOLDER, file)) ? null : `There is no ${file}.`;
}

function findTabserveProblem([name = '', ...words]: readonly string[], folders = [TABSERVE_COMMANDS]): string | null {
  const isThere = folders.some((folder) => existsSync(join(PROJECT_FOLDER, folder, `${name}.ts`)));
  return isThere ? findOptionProblem(folders, words) : `tabserve has no command ${name}.`;
}

function findToolProblem(name: string, words: readonly string[]): string | null {
  if (!existsSync(join(PROJECT_FOLDER, 'node_modules/.bin', name))) return `${name} is not installed here.`;
  const file = words.find((word) => /^(src|test)\/.*\.ts$/.test(word));
  return file === undefined || existsSync(join(PROJECT_FOLDER, file)) ? null : `There is no ${file}.`;
}

/** Each option must occur in the sources of the folders, as in its usage text and table of options. */
function findOptionProblem(folders: readonly string[], words: readonly string[]): string | null {
  const sources = folders
    .flatMap((folder) => readdirSync(join(PROJECT_FOLDER, folder)).map((name) => join(PROJECT_FOLDER, folder, name)))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const options = words.filter((word) => /^--\w/.test(word)).map((word) => word.split('=')[0]!);
  const unknown = options.find((option) => !sources.includes(option));
  return unknown === undefined ? null : `Nothing in ${folders.join(' or ')} has the option ${unknown}.`;
}

function findRequestProblem(words: readonly string[]): string | null {
  const address = words.find((word) => /^https?:/.test(word));
  if (address === undefined) return 'curl is given no address.';
  try {
    findRoute(new URL(address).pathname, '/v1');
    const body = words[words.indexOf('-d') + 1];
    if (words.includes('-d')) JSON.parse(body!);
    return null;
  } catch (thrown) {
    return String(thrown);
  }
}
