import { ApiError, type ApiErrorCode } from '../../shared/api-error.ts';
import { describeValue } from '../../shared/describe-value.ts';
import { MAX_ATTRIBUTES } from '../../shared/documents/document-objects.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Checks one value of a request and returns it in the form that the code uses.
 *
 * @param param Path of the value, for the error.
 * @param body The whole request body, for checks that depend on an earlier field.
 * @throws ApiError that names the value, what was expected and what was received.
 */
export interface Check<T> {
  (value: unknown, param: string, body: JsonObject): T;
  /**
   * JSON Schema of the accepted values, for the OpenAPI document. It may accept more than the check. Default: all
   * values.
   */
  readonly schema?: JsonObject;
  /** Whether the field is required. Default: false. */
  readonly isRequired?: true;
  /** Set for a field that is not supported. Its schema lists the values that are accepted nevertheless. */
  readonly isRefused?: true;
  /** Why an accepted field changes nothing. Default: it has its effect. */
  readonly because?: string;
}

export function described<T>(schema: JsonObject, check: Check<T>): Check<T> {
  return Object.assign<Check<T>, Pick<Check<T>, 'schema'>>((value, param, body) => check(value, param, body), {
    schema,
  });
}

export function invalid(code: ApiErrorCode, param: string, expected: string, value: unknown): ApiError {
  return new ApiError(code, `\`${param}\` must be ${expected}, but it is ${describeValue(value)}.`, { param });
}

export function missing(param: string): ApiError {
  return new ApiError('missing_required_parameter', `\`${param}\` is required, but it is missing.`, { param });
}

/** In an optional field `null` means absent. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

export function required<T>(check: Check<T>): Check<T> {
  const { schema = {} } = check;
  const present: Check<T> = (value, param, body) => {
    if (isAbsent(value)) throw missing(param);
    return check(value, param, body);
  };
  return Object.assign(present, { schema, isRequired: true } as const);
}

export function optional<T, D>(fallback: D, check: Check<T>): Check<T | D> {
  const schema = check.schema === undefined ? {} : { anyOf: [check.schema, { type: 'null' }] };
  return described<T | D>(schema, (value, param, body) => (isAbsent(value) ? fallback : check(value, param, body)));
}

export const boolean = described<boolean>({ type: 'boolean' }, (value, param) => {
  if (typeof value !== 'boolean') throw invalid('invalid_type', param, 'true or false', value);
  return value;
});

export const text = described<string>({ type: 'string' }, (value, param) => {
  if (typeof value !== 'string') throw invalid('invalid_type', param, 'a string', value);
  return value;
});

export const object = described<JsonObject>({ type: 'object' }, (value, param) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('invalid_type', param, 'an object', value);
  }
  return value as JsonObject;
});

/** Reads a member of an object by its name, with a check for it. Errors name the member by its path. */
export type ReadMember = <T>(name: string, check: Check<T>) => T;

/**
 * Returns a function that reads the members of an object.
 * @throws ApiError `invalid_type` if the value is no object.
 */
export function membersOf(value: unknown, param: string, body: JsonObject): ReadMember {
  const members = object(value, param, body);
  return (name, check) => check(members[name], `${param}.${name}`, body);
}

export const array = described<readonly unknown[]>({ type: 'array' }, (value, param) => {
  if (!Array.isArray(value)) throw invalid('invalid_type', param, 'an array', value);
  return value as unknown[];
});

/**
 * Creates the check of an array of limited length, whose elements are checked elsewhere.
 * @param max Largest number of elements.
 * @param what What the elements are, such as `texts`, for the error.
 * @param min Smallest number of elements. Default: 0.
 */
export function arrayUpTo(max: number, what: string, min: 0 | 1 = 0): Check<readonly unknown[]> {
  const schema = { type: 'array', ...(min > 0 && { minItems: min }), maxItems: max };
  const expected = `an array of ${min > 0 ? `${min} to` : 'at most'} ${max} ${what}`;
  return described(schema, (value, param, body) => {
    const given = array(value, param, body);
    if (given.length < min) throw invalid('empty_array', param, expected, value);
    if (given.length > max) throw invalid('array_above_max_length', param, expected, value);
    return given;
  });
}

/** Like {@link arrayUpTo}, with a check for each element. */
export function arrayOf<T>(element: Check<T>, max: number, what: string, min: 0 | 1 = 0): Check<readonly T[]> {
  const elements = arrayUpTo(max, what, min);
  const schema = { ...elements.schema, ...(element.schema && { items: element.schema }) };
  return described(schema, (value, param, body) =>
    elements(value, param, body).map((one, index) => element(one, `${param}[${index}]`, body)),
  );
}

interface Bounds {
  readonly min?: number;
  readonly max?: number;
  /** Exclusive minimum. */
  readonly above?: number;
}

/** A JSON number without a fraction; `5.0` is accepted. */
export function integer({ min = -Infinity, max = Infinity }: Omit<Bounds, 'above'> = {}): Check<number> {
  return described({ type: 'integer', ...boundsSchema({ min, max }) }, (value, param) => {
    if (typeof value !== 'number' || !Number.isInteger(value))
      throw invalid('invalid_type', param, 'an integer', value);
    if (value < min) throw invalid('integer_below_min_value', param, `at least ${min}`, value);
    if (value > max) throw invalid('integer_above_max_value', param, `at most ${max}`, value);
    return value;
  });
}

/** A JSON number. A number that overflows a double is parsed as infinity, which exceeds every bound. */
export function decimal({
  min = -Number.MAX_VALUE,
  max = Number.MAX_VALUE,
  above = -Infinity,
}: Bounds = {}): Check<number> {
  return described({ type: 'number', ...boundsSchema({ min, max, above }) }, (value, param) => {
    if (typeof value !== 'number') throw invalid('invalid_type', param, 'a number', value);
    if (value < min) throw invalid('decimal_below_min_value', param, `at least ${min}`, value);
    if (value <= above) throw invalid('decimal_below_min_value', param, `above ${above}`, value);
    if (value > max) throw invalid('decimal_above_max_value', param, `at most ${max}`, value);
    return value;
  });
}

function boundsSchema({ min = -Infinity, max = Infinity, above = -Infinity }: Bounds): JsonObject {
  return {
    ...(min <= -Number.MAX_VALUE ? {} : { minimum: min }),
    ...(max >= Number.MAX_VALUE ? {} : { maximum: max }),
    ...(above === -Infinity ? {} : { exclusiveMinimum: above }),
  };
}

export function oneOf<const T extends string>(known: readonly T[]): Check<T> {
  return described({ enum: known }, (value, param, body) => {
    const given = text(value, param, body);
    if (!known.includes(given as T)) throw invalid('invalid_value', param, `one of ${known.join(', ')}`, value);
    return given as T;
  });
}

/** Creates the check of a name of limited length, such as that of a tool. */
export const identifierUpTo =
  (most: number): Check<string> =>
  (value, param, body) => {
    const name = text(value, param, body);
    if (!/^[\w-]+$/.test(name) || name.length > most) {
      throw invalid('invalid_value', param, `1 to ${most} letters, digits, underscores or hyphens`, value);
    }
    return name;
  };

export const identifier = identifierUpTo(64);

/** Creates the check of a text of limited length. */
export function shortText(most: number): Check<string> {
  return described({ type: 'string', maxLength: most }, (value, param, body) => {
    const given = text(value, param, body);
    if (given.length > most) throw invalid('invalid_value', param, `a text of at most ${most} characters`, given);
    return given;
  });
}

/** Limits of the OpenAI API on what a client notes with an object. */
const NOTES = { pairs: MAX_ATTRIBUTES, name: 64, value: 512 } as const;

export const noteText = shortText(NOTES.value);

/** Creates the check of what a client notes with an object: names and values. */
export function notes<T>(valueCheck: Check<T>): Check<Readonly<Record<string, T>>> {
  return (value, param, body) => {
    const pairs = Object.entries(object(value, param, body));
    if (pairs.length > NOTES.pairs)
      throw invalid('invalid_value', param, `an object of at most ${NOTES.pairs} pairs`, value);
    const read = pairs.map(([name, given]) => {
      if (name.length <= NOTES.name) return [name, valueCheck(given, `${param}.${name}`, body)] as const;
      throw invalid('invalid_value', param, `an object whose names have at most ${NOTES.name} characters`, name);
    });
    return Object.fromEntries(read);
  };
}

/** `metadata` of a stored answer or a vector store. */
export const metadata = notes(noteText);

/**
 * Creates the check of a field of another API that this service does not support.
 * @param neutral Values that ask for nothing, such as an empty list; they are accepted, like an absent field. Default: none.
 */
export function unsupported(...neutral: readonly unknown[]): Check<null> {
  const check: Check<null> = (value, param) => {
    if (isAbsent(value) || neutral.some((accepted) => equalsFlat(value, accepted))) return null;
    throw new ApiError('unsupported_parameter', `\`${param}\` is not supported here. Leave it out.`, { param });
  };
  return Object.assign(check, { schema: { enum: [null, ...neutral] }, isRefused: true } as const);
}

/**
 * Creates the check of a name by which clients of other routes and servers call a field.
 * @param instead What to use, as the end of the sentence.
 */
export function misnamed(instead: string): Check<null> {
  const check: Check<null> = (value, param) => {
    if (isAbsent(value)) return null;
    throw new ApiError('unsupported_parameter', `\`${param}\` is not a field of this route. Use ${instead}.`, {
      param,
    });
  };
  return Object.assign(check, { schema: { enum: [null] }, isRefused: true } as const);
}

/**
 * Whether a value of a request equals a value without nested members. They are not compared as JSON, because a request
 * may be nested too deeply to be written.
 */
function equalsFlat(value: unknown, flat: unknown): boolean {
  if (typeof value !== 'object' || value === null || typeof flat !== 'object' || flat === null) return value === flat;
  const members = Object.entries(flat);
  return (
    Array.isArray(value) === Array.isArray(flat) &&
    Object.keys(value).length === members.length &&
    members.every(([name, member]) => (value as Record<string, unknown>)[name] === member)
  );
}

/**
 * Creates the check of an optional field that is accepted, but changes nothing.
 * @param because Why it changes nothing, for the documents.
 * @param check Default: any value is accepted.
 */
export function withoutEffect<T = unknown>(because: string, check: Check<T> = anything as Check<T>): Check<T | null> {
  const schema = { ...check.schema, description: `Accepted without effect: ${because}.` };
  return Object.assign(optional(null, described(schema, check)), { because });
}

const anything: Check<unknown> = (value) => value;
