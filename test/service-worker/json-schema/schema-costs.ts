export interface SchemaCost {
  readonly name: string;
  /** The most expensive schema to compile that is allowed. */
  readonly dear: object;
  /** A schema so expensive that compiling it would block the engine's thread for seconds or minutes. */
  readonly tooDear: object;
  /** The limit, as the error message states it. */
  readonly most: string;
}

const named = (count: number, schema: object = { type: 'string' }) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schema]));

const object = (count: number, more: object = {}) => ({ type: 'object', properties: named(count), ...more });
const allRequired = (count: number) => object(count, { required: Object.keys(named(count)) });
const numbered = (count: number) => ({ enum: Array.from({ length: count }, (_, index) => `value ${index}`) });
const pattern = (source: string) => ({ type: 'string', pattern: source });
const groups = (count: number, size: number) =>
  object(count - 1, { required: ['p0'], properties: named(count, object(size)) });

/** The ways in which a small schema can be expensive to compile. */
export const SCHEMA_COSTS: readonly SchemaCost[] = [
  { name: 'optional properties', dear: object(300), tooDear: object(1000), most: '300' },
  { name: 'required properties', dear: allRequired(300), tooDear: allRequired(301), most: '300' },
  {
    name: 'properties that are required only',
    dear: { type: 'object', required: Object.keys(named(300)) },
    tooDear: { type: 'object', required: Object.keys(named(301)) },
    most: '300',
  },
  { name: 'properties of many objects', dear: groups(10, 29), tooDear: groups(20, 20), most: '300' },
  {
    name: 'properties of a dependency',
    dear: object(1, { dependencies: { p0: object(298) } }),
    tooDear: object(1, { dependencies: { p0: object(1000) } }),
    most: '300',
  },
  {
    name: 'alternatives',
    dear: { anyOf: Object.values(named(300)) },
    tooDear: { anyOf: Object.values(named(400)) },
    most: '300',
  },
  {
    name: 'counted properties',
    dear: object(20, { minProperties: 1 }),
    tooDear: object(60, { minProperties: 1 }),
    most: '20',
  },
  { name: 'values', dear: numbered(5000), tooDear: numbered(100_000), most: '5,000' },
  { name: 'long values', dear: { enum: ['x'.repeat(99_000)] }, tooDear: { enum: ['x'.repeat(4e6)] }, most: '100,000' },
  {
    name: 'long constants',
    dear: { const: { a: 'x'.repeat(99_000) } },
    tooDear: { const: { a: 'x'.repeat(4e6) } },
    most: '100,000',
  },
  {
    name: 'nested repetitions',
    dear: pattern('([a-z]{1,99}x){1,100}'),
    tooDear: pattern('(a{1,1000}){1,1000}'),
    most: '10,000',
  },
  {
    name: 'repetitions of groups with names, classes and alternatives',
    dear: pattern('(?:(?<word>[a-z\\]{3}]|\\d){2,50}x){1,99}'),
    tooDear: pattern('(?:(?<word>[a-z\\]{3}]|\\d){2,50}x){1,100}'),
    most: '10,000',
  },
  { name: 'quantifiers', dear: pattern('a?'.repeat(200)), tooDear: pattern('a?'.repeat(1000)), most: '200' },
  {
    name: 'patterns of names',
    dear: { type: 'object', patternProperties: Object.fromEntries([['^a{1,100}$', {}]]) },
    tooDear: { type: 'object', patternProperties: { '^(a{1,1000}){1,1000}$': {} } },
    most: '10,000',
  },
];
