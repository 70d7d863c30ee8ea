import { ModelManager, type Tabserve } from '../../page/index.ts';
import { BUILT_IN_EMBEDDING_MODEL_ID } from '../../shared/models/built-in-models.ts';

/**
 * Stores the built-in embedding model (2 MB), so that from now on documents can be indexed and asked without a network.
 * Never rejects: without it, the first file or question loads the model.
 */
export async function storeEmbeddingModel(tabserve: Tabserve): Promise<void> {
  try {
    const manager = new ModelManager(tabserve);
    const model = (await manager.list()).find(({ id }) => id === BUILT_IN_EMBEDDING_MODEL_ID);
    if (model?.state.kind === 'absent') await manager.download(model.id);
  } catch (error) {
    console.info('The embedding model is not stored yet.', error);
  }
}
