import { ApiError } from '../../shared/api-error.ts';

/**
 * Deepest nesting of a schema, references followed, and of groups in a pattern. The grammar package
 * (0.1.27) works by recursion on a small stack: twice this much overruns it, after which it is of no use
 * for any schema until the worker is started anew.
 */
const MOST_LEVELS = 40;

/**
 * Refuses a schema that would break the grammar package.
 * @param param Path of the schema in the request.
 * @throws ApiError `invalid_value`
 */
export function requireShallowSchema(schema: unknown, param: string): void {
  const followed = new Set<string>();
  const visit = (value: unknown, level: number): void => {
    if (level > MOST_LEVELS) throw tooDeepError(param);
    if (typeof value !== 'object' || value === null) return;
    if ('pattern' in value && typeof value.pattern === 'string' && groupDepth(value.pattern) > MOST_LEVELS) {
      throw tooDeepError(param);
    }
    if ('$ref' in value && typeof value.$ref === 'string' && !followed.has(value.$ref)) {
      followed.add(value.$ref);
      visit(resolvePointer(schema, value.$ref), level + 1);
    }
    for (const child of Object.values(value)) visit(child, level + 1);
  };
  visit(schema, 1);
}

function tooDeepError(param: string): ApiError {
  return new ApiError('invalid_value', `${param} is nested more than ${MOST_LEVELS} levels deep; make it flatter.`, {
    param,
  });
}

/** What a local reference points to; undefined for any other. */
function resolvePointer(schema: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  let value = schema;
  for (const step of reference.slice(1).split('/').slice(1)) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function groupDepth(pattern: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of pattern.replaceAll(/\\./gs, '')) {
    if (character === '(') deepest = Math.max(deepest, ++depth);
    else if (character === ')') depth--;
  }
  return deepest;
}
