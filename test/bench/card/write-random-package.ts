import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { CommandFailure } from '../../../src/command-line/run-command.ts';
import { byteLevelTokenizer } from './byte-level-tokenizer.ts';
import { randomWeights } from './random-weights.ts';

const Config = v.looseObject({
  vocab_size: v.number(),
  conv_template: v.looseObject({
    stop_str: v.nullish(v.array(v.string())),
    stop_token_ids: v.array(v.number()),
  }),
});

const Weights = v.object({
  metadata: v.unknown(),
  records: v.array(
    v.object({
      dataPath: v.string(),
      format: v.string(),
      nbytes: v.number(),
      records: v.array(
        v.object({
          name: v.string(),
          shape: v.array(v.number()),
          dtype: v.string(),
          format: v.string(),
          nbytes: v.number(),
          byteOffset: v.number(),
        }),
      ),
    }),
  ),
});

/** The names of the list of weights in newer and older packages. */
const WEIGHTS_LISTS = ['tensor-cache.json', 'ndarray-cache.json'];

/** Names within the written package. */
export const LIBRARY = 'library.wasm';
const TOKENIZER = 'tokenizer.json';

/**
 * Writes a package of random weights in WebLLM's format, for measurements of speed, which does not depend on values.
 * @param model Folder with a package's `mlc-chat-config.json` and list of weights, and its library, a `.wasm` file.
 * Neither weights nor a tokenizer are needed.
 * @throws {CommandFailure} if the folder lacks one of them.
 */
export function writeRandomPackage(model: string, folder: string): void {
  const files = existsSync(model) ? readdirSync(model) : [];
  const library = files.find((name) => name.endsWith('.wasm'));
  const list = WEIGHTS_LISTS.find((name) => files.includes(name));
  if (library === undefined || list === undefined || !files.includes('mlc-chat-config.json'))
    throw new CommandFailure(
      `The folder ${model} must have mlc-chat-config.json, ${WEIGHTS_LISTS.join(' or ')}, and a library (.wasm).`,
    );
  const config = read(join(model, 'mlc-chat-config.json'), Config);
  const weights = read(join(model, list), Weights);
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(model, library), join(folder, LIBRARY));
  const write = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content));
  write(TOKENIZER, byteLevelTokenizer(config));
  write('mlc-chat-config.json', {
    ...config,
    tokenizer_files: [TOKENIZER],
    tokenizer_info: {
      token_postproc_method: 'byte_level',
      prepend_space_in_encode: false,
      strip_space_in_decode: false,
    },
  });
  for (const [index, { dataPath, nbytes, records }] of weights.records.entries())
    writeFileSync(join(folder, dataPath), randomWeights(records, nbytes, index + 1));
  for (const name of WEIGHTS_LISTS) write(name, weights);
}

function read<Schema extends v.GenericSchema>(file: string, schema: Schema): v.InferOutput<Schema> {
  const result = v.safeParse(schema, JSON.parse(readFileSync(file, 'utf8')));
  if (result.success) return result.output;
  throw new CommandFailure(`${file} is not what WebLLM expects: ${v.summarize(result.issues)}`);
}
