import type { PageStatus, Tabserve } from '../../page/index.ts';
import type { ListedModel } from '../api/list-models.ts';
import { lastModel, lastModelHere, rememberModel } from '../storage/local-storage-values.ts';

/**
 * Returns the id of the model for a chat without a chosen model: the loaded model, so that a question does not replace
 * it. If none is loaded, or if the last chosen model is one of an upstream, returns the last chosen model.
 * @param chatModels The models that can chat; see `UsableModelsController`.
 */
export function modelInUse(status: PageStatus, chatModels: readonly ListedModel[]): string {
  const chosen = lastModel();
  const isHere = chosen === lastModelHere();
  return (isHere ? loadedModel(status, chatModels) : null) ?? chosen;
}

/** Returns the id of the loaded model if the next question to `model` would replace it; otherwise null. */
export function displacedModel(model: string, status: PageStatus, chatModels: readonly ListedModel[]): string | null {
  const loaded = loadedModel(status, chatModels);
  return runsHere(model, chatModels) && loaded !== model ? loaded : null;
}

/**
 * Makes a model the current one, on this page and after a reload. If it cannot be loaded, the status shows the failure.
 */
export function chooseModel(id: string, tabserve: Tabserve, chatModels: readonly ListedModel[]): void {
  const isHere = runsHere(id, chatModels);
  rememberModel(id, isHere);
  if (isHere) tabserve.load(id).catch(() => {});
}

/** Returns the id of the model that is loaded or loading; null if it cannot chat. */
function loadedModel(status: PageStatus, chatModels: readonly ListedModel[]): string | null {
  const loaded = status.state === 'ready' || status.state === 'loading' ? status.model : null;
  return chatModels.find(({ id }) => id === loaded)?.id ?? null;
}

function runsHere(model: string, chatModels: readonly ListedModel[]): boolean {
  return chatModels.some(({ id, tabserve }) => id === model && tabserve?.state !== 'upstream');
}
