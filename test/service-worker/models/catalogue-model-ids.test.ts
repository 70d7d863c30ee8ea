import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { expect, test } from 'vitest';
import { catalogueModel } from '../../../src/engine-worker/models/catalogue-model.ts';
import { ggufCatalogue } from '../../../src/engine-worker/models/gguf/gguf-catalogue.ts';
import { CATALOGUE_MODEL_IDS } from '../../../src/service-worker/models/catalogue-model-ids.ts';

test('the service worker knows exactly the models that the model manager offers', () => {
  const packages = prebuiltAppConfig.model_list.map((record) => catalogueModel(record));
  const offered = [...packages, ...ggufCatalogue(null)].map(({ source }) => source.id);
  expect([...CATALOGUE_MODEL_IDS].toSorted()).toEqual(offered.toSorted());
});
