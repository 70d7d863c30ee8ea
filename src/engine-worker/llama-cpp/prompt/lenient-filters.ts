import { Environment, Interpreter } from '@huggingface/jinja';

interface Value {
  readonly type: string;
  readonly value: unknown;
}

/** The part of the AST of a filter that is read: `value | name` and `value | name(arguments)`. */
interface FilterNode {
  readonly type: string;
  readonly value?: string;
  readonly callee?: { readonly value?: string };
}

type ApplyFilter = (this: Interpreter, operand: Value, filter: FilterNode, environment: Environment) => Value;

/** Filters that Jinja applies to an undefined value as to an empty text, and as to an empty list. */
const OF_TEXT = new Set(['upper', 'lower', 'title', 'capitalize', 'trim', 'string', 'replace', 'indent', 'length']);
const OF_NULL = new Set(['string', 'upper', 'lower', 'trim']);
const OF_LIST = new Set([
  'list',
  'join',
  'map',
  'selectattr',
  'rejectattr',
  'sort',
  'unique',
  'first',
  'last',
  'reverse',
]);

/**
 * Makes the filters of the library as lenient as those of Jinja, on whose leniency published templates rely: Gemma 4's
 * writes `type | upper` for a parameter without a type, MiniCPM's uses `min`, Qwen3-Coder's `true | string`. The library has no place for further
 * filters, so the method that applies them is replaced. Without that method nothing changes.
 */
export function makeFiltersLenient(): void {
  const prototype = Interpreter.prototype as unknown as { applyFilter?: ApplyFilter };
  const strict = prototype.applyFilter;
  if (strict === undefined) return;
  prototype.applyFilter = function (operand, filter, environment) {
    const name = (filter.type === 'Identifier' ? filter.value : filter.callee?.value) ?? '';
    if (operand.type === 'UndefinedValue') {
      if (OF_TEXT.has(name)) return strict.call(this, valueOf(''), filter, environment);
      if (OF_LIST.has(name)) return strict.call(this, valueOf([]), filter, environment);
    }
    // Python writes a null as None.
    if (operand.type === 'NullValue' && OF_NULL.has(name))
      return strict.call(this, valueOf('None'), filter, environment);
    if (operand.type === 'BooleanValue' && name === 'string') return valueOf(operand.value === true ? 'True' : 'False');
    if (operand.type === 'ArrayValue') {
      const values = operand.value as readonly Value[];
      if (name === 'min' || name === 'max') return extreme(values, name);
      // Python writes a list; only `type | upper` of a schema with several types is known to need it.
      if (name === 'upper') return valueOf(values.map(({ value }) => String(value).toUpperCase()).join(' or '));
    }
    return strict.call(this, operand, filter, environment);
  };
}

function extreme(values: readonly Value[], name: 'min' | 'max'): Value {
  const sorted = values.toSorted((a, b) => Number(a.value) - Number(b.value));
  return sorted.at(name === 'min' ? 0 : -1) ?? valueOf('');
}

function valueOf(value: unknown): Value {
  return new Environment().set('value', value) as Value;
}
