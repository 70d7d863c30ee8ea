/** Ids of packages as they are published: a name, how the weights are stored, at times a variant of that. */
const PACKAGE_ID = /^(?<base>.+)-(?<weights>q\d+f\d+(?:_\d+)?)-MLC(?:-(?<variant>\w+))?$/i;

/** Parts of ids that say how a model was tuned or when it was published, which its version and size tell as well. */
const LEFT_OUT = /^(instruct|it|chat|hf|bf16|\d{4})$/i;

/** Where the publisher's spelling is another one than that of the id. */
const SPELLINGS: Readonly<Record<string, string>> = { gemma3: 'Gemma 3', jpn: 'Japanese', stablelm: 'StableLM' };

/**
 * What people call a model: `Llama 3.2 1B` for `Llama-3.2-1B-Instruct-q4f16_1-MLC`. An id that somebody has made up is
 * its own name.
 * @param beside Ids of the models that it stands beside: where one of them has the same name, both say how their
 *   weights are stored. Default: none.
 */
export function modelName(id: string, beside: readonly string[] = []): string {
  const { name, variant } = readId(id);
  const isShared = beside.some((other) => other !== id && readId(other).name === name);
  return isShared ? `${name} (${variant})` : name;
}

function readId(id: string): { readonly name: string; readonly variant: string } {
  const { base, weights = '', variant } = PACKAGE_ID.exec(id)?.groups ?? {};
  if (base === undefined) return { name: /^pocket(-embed)?$/.test(id) ? spell(id) : id, variant: id };
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
