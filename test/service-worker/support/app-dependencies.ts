import { ApiError } from '../../../src/shared/api-error.ts';
import { engineUnavailable } from '../../../src/shared/engine/engine-errors.ts';
import type { AnswerRecords } from '../../../src/shared/storage/stored-answer.ts';
import type { AppDependencies } from '../../../src/service-worker/create-app.ts';

async function failToStore(): Promise<never> {
  throw new ApiError('storage_unavailable', 'Answers are not stored here.');
}

const NO_ANSWERS: AnswerRecords = {
  add: failToStore,
  find: failToStore,
  list: failToStore,
  setMetadata: failToStore,
  delete: failToStore,
  deleteAll: failToStore,
  addLog: failToStore,
  log: failToStore,
};

/**
 * Adds what a test does not need: no engine can be called, nothing is stored, no model is absent, no client is gone, and
 * requests start at once.
 */
export function appDependencies(
  given: Partial<AppDependencies> & Pick<AppDependencies, 'service' | 'models' | 'findKey'>,
): AppDependencies {
  return {
    callEngine: async () => {
      throw engineUnavailable('No engine can be called here.');
    },
    findModel: async (id) => (await given.models()).find((model) => model.id === id) ?? null,
    absence: async () => null,
    absentModels: async () => [],
    answers: NO_ANSWERS,
    aliases: {},
    admit: () => async () => {},
    clientDisconnected: async () => false,
    ...given,
  };
}
