import type { CallForm } from './call-form.ts';
import { joinParts, matchParts } from './match-parts.ts';

/**
 * The tool that a text begins to call, and the length of the text up to the call's input. `incomplete` if further text
 * decides; null if it is not a call.
 */
export type CallMatch = { readonly form: CallForm; readonly length: number } | 'incomplete' | null;

/**
 * Compares the front of a text with the beginnings of the calls of some tools.
 * @param before What stands before the call.
 */
export function matchCall(forms: readonly CallForm[], before: string, text: string): CallMatch {
  // A name may be the beginning of another one, so the longest are compared first.
  const longestFirst = forms.toSorted((one, other) => other.tool.name.length - one.tool.name.length);
  for (const form of longestFirst) {
    const length = matchParts(joinParts(before, ...form.begin), text);
    if (length === 'incomplete') return 'incomplete';
    if (length !== null) return { form, length };
  }
  return null;
}
