import { readFileSync } from 'node:fs';
import { expandRepeats, type Constants } from './expand-template.ts';

/** A kernel for WebLLM: WGSL, and a description of its bindings. */
export interface Kernel {
  name: string;
  description: {
    name: string;
    arg_types: string[];
    launch_param_tags: string[];
  };
  code: string;
}

/** The kernels of a model, and the constants that the library needs to dispatch them. */
export interface KernelPlan {
  kernels: Kernel[];
  numbers: Record<string, number>;
}

const folder = new URL('../kernels/', import.meta.url);

/**
 * Makes a kernel of a WGSL file. WebLLM passes no override constants, so each `override NAME: type;` becomes a `const`.
 * Constants that the file does not declare are ignored.
 */
export function specialise(name: string, file: string, constants: Constants): Kernel {
  const code = expandRepeats(readWithIncludes(`${file}.wgsl`, constants), constants)
    .replace(/^override (\w+): (\w+);$/gm, (_, constant: string, type: string) => {
      const value = constants[constant];
      if (value === undefined) throw new Error(`${file}.wgsl: no value for ${constant}`);
      return `const ${constant}: ${type} = ${literal(value, type)};`;
    })
    .replace('fn main(', `fn ${name}(`)
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace(/^ +/gm, '');
  return { name, description: describe(name, code), code };
}

/** Replaces each line `// include file.wgsl` with that file, as WGSL has no modules. */
function readWithIncludes(file: string, constants: Constants): string {
  return readFileSync(new URL(file, folder), 'utf8').replace(/^ *\/\/ include (\S+)$/gm, (_, included: string) => {
    const chosen = included.replace(/[A-Z_]+/, (constant) => String(constants[constant]));
    return readWithIncludes(chosen, constants);
  });
}

function literal(value: number, type: string): string {
  if (type === 'u32') return `${value}u`;
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

/** Lists the buffers in binding order, then the fields of `struct Arguments`, then the grid. */
function describe(name: string, code: string): Kernel['description'] {
  const bindings = [...code.matchAll(/@binding\((\d+)\) var<storage, (read_write|read)>/g)];
  bindings.forEach(([, binding], index) => {
    if (Number(binding) !== index) throw new Error(`${name}: bindings must be in order`);
  });
  const fields = /struct Arguments \{([^}]*)\}/.exec(code)?.[1]?.split(',') ?? [];
  // WebLLM appends the last field itself: the number of workgroups.
  const numbers = fields.slice(0, -1).map(() => 'uint32');
  const writes = bindings.map(([, , access]) => (access === 'read_write' ? 1 : 0));
  return {
    name,
    arg_types: [...bindings.map(() => 'handle'), ...numbers],
    launch_param_tags: ['blockIdx.x', 'blockIdx.y', `paramWriteAccess:${JSON.stringify(writes)}`],
  };
}
