/**
 * Checks one option that a site's developer has set.
 * @param holds Whether the value is acceptable.
 * @param option Path of the option, such as `models[0].id`.
 * @param expected The rest of the sentence "… must be", without a full stop.
 * @throws TypeError with the whole sentence if the value is not acceptable.
 */
export function requireOption(holds: unknown, option: string, expected: string): asserts holds {
  if (!holds) throw new TypeError(`\`${option}\` must be ${expected}.`);
}
