import { ApiError } from '../shared/api-error.ts';
import { findDeviceModel } from '../shared/device-models.ts';
import type { EngineMethod } from './methods.ts';
import { textParameter } from './text-parameter.ts';

/**
 * Method `models/load`: parameters `{ model }`, resolves when that model can answer.
 * @throws ApiError `invalid_type`, `model_not_found`, or what loading ended in.
 */
export const loadModel: EngineMethod = async (parameters, { completions, site }) => {
  const id = textParameter(parameters, 'model');
  const model = await findDeviceModel(id, site);
  if (!model)
    throw new ApiError('model_not_found', `The model ${JSON.stringify(id)} is not on this device.`, { param: 'model' });
  await completions.load(model);
};
