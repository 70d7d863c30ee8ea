import { BUILT_IN_MODEL_ID } from '../../shared/built-in-model.ts';

const LAST_MODEL = 'tabserve-last-model';

/** The model that was chosen last on this device, at first the built-in one. */
export function lastModel(): string {
  return localStorage.getItem(LAST_MODEL) ?? BUILT_IN_MODEL_ID;
}

export function rememberModel(id: string): void {
  localStorage.setItem(LAST_MODEL, id);
}
