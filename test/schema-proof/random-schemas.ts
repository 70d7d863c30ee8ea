import type { JsonSchema } from '../../src/shared/engine/completion-request.ts';
import { Random } from './random.ts';
import { when } from './server-tools/schema-parts.ts';

const NAMES = ['a', 'b', 'name', 'x_1', 'two words', 'é', 'say "hi"'];
const PATTERNS = [
  '^[a-z]+$',
  '^a|b$',
  '^.{1,3}$',
  '[0-9]',
  '^x_',
  '^(?!a)[a-c]{2}',
  '\\S',
  '^[^x]+$',
  'é',
  '^[ -~]*$',
  '^\\d{3}-\\d{4}$',
  '"',
  '^\\W?$',
];
const FORMATS = ['date', 'date-time', 'email', 'uuid', 'ipv4', 'ipv6', 'time', 'duration', 'uri', 'hostname'];

/** Creates random schemas with every restricting keyword. Most can be satisfied. */
export function randomSchema(seed: number): JsonSchema {
  const random = new Random(seed);
  const definitions: Record<string, JsonSchema> = {};
  const schema = make(3);
  return typeof schema === 'object' ? { ...schema, $defs: definitions } : schema;

  function make(depth: number): JsonSchema {
    if (random.once(40)) return true;
    const kinds = [text, number, integer, fixed, ...(depth > 0 ? [object, object, array, combined, reference] : [])];
    return random.of(kinds)(depth - 1);
  }

  function some<Value>(values: readonly Value[], most: number): Value[] {
    return values.filter(() => random.once(2)).slice(0, most);
  }

  /** Chooses each keyword with a probability of 1 in `times`. */
  function keywords(given: Readonly<Record<string, () => unknown>>, times = 3): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(given).flatMap(([keyword, value]) => (random.once(times) ? [[keyword, value()]] : [])),
    );
  }

  function text(): JsonSchema {
    const own = keywords({
      minLength: () => random.below(4),
      maxLength: () => 3 + random.below(8),
      pattern: () => random.of(PATTERNS),
    });
    return { type: 'string', ...own, ...keywords({ format: () => random.of(FORMATS) }, 8) };
  }

  function bounds(scale: readonly number[]): Record<string, unknown> {
    const low = random.of(scale);
    const high = low + Math.abs(random.of(scale)) + 1;
    return keywords(
      {
        [random.of(['minimum', 'exclusiveMinimum'])]: () => low,
        [random.of(['maximum', 'exclusiveMaximum'])]: () => high,
      },
      2,
    );
  }

  function number(): JsonSchema {
    return {
      type: 'number',
      ...bounds([0, 1, -1, 0.5, -0.25, 3.75, 100, 1e-3, -1e6, 12.125]),
      ...keywords({ multipleOf: () => random.of([0.5, 0.25, 1, 0.01]) }, 8),
    };
  }

  function integer(): JsonSchema {
    return {
      type: 'integer',
      ...bounds([0, 1, -1, 2, -5, 9, 10, 99, 1234, -1000]),
      ...keywords({ multipleOf: () => random.of([2, 3, 5, 10]) }, 8),
    };
  }

  function fixed(): JsonSchema {
    const values = [null, true, 1, -2.5, 'a', 'é"\n', [], { a: 1 }];
    return random.once(2) ? { const: random.of(values) } : { enum: [random.of(values), ...some(values, 3)] };
  }

  function object(depth: number): JsonSchema {
    const names = some(NAMES, 4);
    return {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, make(depth)])),
      required: some([...new Set([...names, 'b'])], 3),
      ...keywords({
        additionalProperties: () => (random.once(2) ? false : make(depth)),
        patternProperties: () => ({ [random.of(PATTERNS)]: make(depth) }),
        propertyNames: () => ({ maxLength: 10 }),
      }),
      ...keywords(
        {
          minProperties: () => random.below(3),
          maxProperties: () => 3 + random.below(3),
          dependentRequired: () => ({ a: ['b'] }),
        },
        6,
      ),
    };
  }

  function array(depth: number): JsonSchema {
    const own = keywords({ minItems: () => random.below(3), maxItems: () => 2 + random.below(3) });
    const tuple = keywords({ prefixItems: () => [make(depth), make(depth)] }, 4);
    const counted = keywords({ contains: () => make(depth), uniqueItems: () => true }, 6);
    const counts = keywords({ minContains: () => random.below(3), maxContains: () => 2 + random.below(2) }, 4);
    const rest = random.once(8) ? { unevaluatedItems: random.once(2) ? false : make(depth) } : { items: rows(depth) };
    return { type: 'array', ...rest, ...own, ...tuple, ...counted, ...('contains' in counted ? counts : {}) };
  }

  function rows(depth: number): JsonSchema {
    if (random.once(8)) return false;
    return random.once(4) ? { enum: ['a', 'b', 3, null] } : make(depth);
  }

  function combined(depth: number): JsonSchema {
    const parts = [make(depth), make(depth)];
    const keyword = random.of(['anyOf', 'anyOf', 'allOf', 'oneOf', 'oneOf', 'not', 'if']);
    const beside = random.once(3) ? (object(depth) as object) : {};
    const closed = random.once(6) ? { unevaluatedProperties: random.once(2) ? false : make(depth) } : {};
    if (keyword === 'not') return { ...(parts[0] as object), not: parts[1] };
    if (keyword !== 'if') return { ...beside, ...closed, [keyword]: parts };
    return { ...beside, ...closed, ...when(make(depth), ...parts.slice(random.below(2))) };
  }

  function reference(depth: number): JsonSchema {
    const name = `d${random.below(4)}`;
    if (definitions[name] === undefined) {
      definitions[name] = true;
      definitions[name] = make(depth);
    }
    return { $ref: `#/$defs/${name}`, ...(random.once(4) ? { description: 'a reference' } : {}) };
  }
}
