import type { PageStatus, Tabserve } from '../../page/index.ts';
import type { ListedModel } from '../api/list-models.ts';
import { lastModel, lastModelHere, rememberModel } from '../storage/local-values.ts';

/**
 * Id of the model that a chat without one of its own asks: the one that is loaded, so that no question takes its place,
 * whoever has loaded it. Where none is, or an upstream was chosen last, the one that was chosen last.
 * @param writing The models that can answer questions; see `UsableModelsController`.
 */
export function modelInUse(status: PageStatus, writing: readonly ListedModel[]): string {
  const chosen = lastModel();
  const isHere = chosen === lastModelHere();
  return (isHere ? loadedModel(status, writing) : null) ?? chosen;
}

/**
 * Id of the loaded model where the next question to `model` would put that in its place; else null.
 * @param model Id of the model that would be asked.
 */
export function displacedModel(model: string, status: PageStatus, writing: readonly ListedModel[]): string | null {
  const loaded = loadedModel(status, writing);
  return runsHere(model, writing) && loaded !== model ? loaded : null;
}

/** Makes a model the one in use: at once, and in the next page. What becomes of loading it is in the status. */
export function chooseModel(id: string, tabserve: Tabserve, writing: readonly ListedModel[]): void {
  const isHere = runsHere(id, writing);
  rememberModel(id, isHere);
  if (isHere) tabserve.load(id).catch(() => {});
}

/** Id of the model that is on the graphics processor, or on its way there; null where none is that could be asked. */
function loadedModel(status: PageStatus, writing: readonly ListedModel[]): string | null {
  const loaded = status.state === 'ready' || status.state === 'loading' ? status.model : null;
  return writing.find(({ id }) => id === loaded)?.id ?? null;
}

function runsHere(model: string, writing: readonly ListedModel[]): boolean {
  return writing.some(({ id, tabserve }) => id === model && tabserve?.state !== 'upstream');
}
