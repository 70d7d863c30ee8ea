import { isBuiltIn } from '../../shared/models/built-in-models.ts';

/**
 * Matches ids of published packages, such as `Llama-3.2-1B-Instruct-q4f16_1-MLC`: name, quantization, and sometimes a
 * variant.
 */
const PACKAGE_ID = /^(?<base>.+)-(?<weights>q\d+f\d+(?:_\d+)?)-MLC(?:-(?<variant>\w+))?$/i;

/** Matches ids of GGUF models, such as `Qwen3-0.6B-Q8_0`: name and quantization. */
const GGUF_ID = /^(?<base>.+)-(?<weights>I?Q\d_\w+)$/;

/** Matches parts of ids that names leave out, such as the kind of tuning and the date. */
const LEFT_OUT = /^(instruct|it|chat|hf|bf16|\d{4})$/i;

/** Names that are not spelled as in their ids. */
const SPELLINGS: Readonly<Record<string, string>> = { gemma3: 'Gemma 3', jpn: 'Japanese', stablelm: 'StableLM' };

/**
 * Returns the display name of a model: `Llama 3.2 1B` for `Llama-3.2-1B-Instruct-q4f16_1-MLC`. Other ids stay as they
 * are.
 * @param beside Ids of other models in the same list. If one has the same name, the quantization is added. Default:
 * none.
 */
export function modelName(id: string, beside: readonly string[] = []): string {
  const { name, variant } = readId(id);
  const isShared = beside.some((other) => other !== id && readId(other).name === name);
  return isShared ? `${name} (${variant})` : name;
}

function readId(id: string): { readonly name: string; readonly variant: string } {
  const { base, weights = '', variant } = (PACKAGE_ID.exec(id) ?? GGUF_ID.exec(id))?.groups ?? {};
  if (base === undefined) return { name: isBuiltIn(id) ? spell(id) : id, variant: id };
  return { name: spell(base), variant: variant === undefined ? weights : `${weights}, ${variant}` };
}

function spell(base: string): string {
  return base
    .split('-')
    .filter((part) => !LEFT_OUT.test(part))
    .map((part) => {
      if (/^\d[\d._]*[bm]?$/i.test(part)) return part.replace('_', '.').toUpperCase();
      if (/^v\d/i.test(part)) return part.toLowerCase();
      return SPELLINGS[part] ?? part.charAt(0).toUpperCase() + part.slice(1);
    })
    .join(' ');
}
