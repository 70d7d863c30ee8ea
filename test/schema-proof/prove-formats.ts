import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printEbnf } from '../../src/engine-worker/webllm/grammar/print-ebnf.ts';
import { compileSchema } from '../../src/engine-worker/grammar/json-schema/compile-schema.ts';
import { FORMAT_PATTERNS } from '../../src/engine-worker/grammar/json-schema/formats/formats.ts';
import { compileEbnf } from './xgrammar.ts';

interface FormatGroup {
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

/** The strings, with their formats, that the grammars judge otherwise than the suite. */
export interface FormatProof {
  /** Valid strings that are not allowed. */
  readonly leftOut: readonly string[];
  /** Invalid strings that are allowed. */
  readonly invalid: readonly string[];
}

/**
 * Tries the strings that the JSON Schema Test Suite has for the supported formats.
 * @param folder The suite's folder `tests`.
 */
export async function proveFormats(folder: string): Promise<FormatProof> {
  const leftOut: string[] = [];
  const invalid: string[] = [];
  const formats = join(folder, 'draft2020-12/optional/format');
  for (const file of readdirSync(formats)) {
    const format = file.replace('.json', '');
    if (!Object.hasOwn(FORMAT_PATTERNS, format)) continue;
    const compiled = await compileEbnf(printEbnf(compileSchema({ type: 'string', format })));
    const groups = JSON.parse(readFileSync(join(formats, file), 'utf8')) as FormatGroup[];
    for (const { data, valid, description } of groups.flatMap(({ tests }) => tests)) {
      if (typeof data !== 'string' || compiled.accepts(JSON.stringify(data)) === valid) continue;
      (valid ? leftOut : invalid).push(`${format} ${JSON.stringify(data)} (${description})`);
    }
    compiled.dispose();
  }
  return { leftOut, invalid };
}
