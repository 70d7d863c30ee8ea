import * as v from 'valibot';
import { ApiError } from '../../shared/api-error.ts';
import type { CustomModel, ModelSource } from '../../shared/models/model-management.ts';
import { ON_HUB } from '../../shared/models/hub-address.ts';
import { HUGGING_FACE, packageBase } from './package/package-address.ts';

const Address = v.pipe(
  v.string('An address is expected.'),
  v.trim(),
  v.url('This is not a whole address, such as https://example.org/model/.'),
  v.regex(/^https?:/i, 'Only http and https addresses can be fetched.'),
);

const Custom = v.object({
  id: v.pipe(
    v.string('A name is expected.'),
    v.trim(),
    v.regex(/^[\w.:@/-]{1,128}$/, 'A name has 1 to 128 letters, digits and the characters . _ : @ / -'),
  ),
  modelUrl: Address,
  libraryUrl: Address,
});

/**
 * Validates a model that the user added by its addresses.
 * @throws ApiError `invalid_value` if a field is invalid; `param` names it.
 */
export function customSource(model: CustomModel): ModelSource {
  const result = v.safeParse(Custom, model);
  if (!result.success) {
    const [issue] = result.issues;
    throw new ApiError('invalid_value', issue.message, { param: v.getDotPath(issue) });
  }
  const { id, modelUrl, libraryUrl } = result.output;
  return {
    id,
    modelUrl: packageBase(folderOf(modelUrl)),
    libraryUrl: new URL(libraryUrl).href,
    manifest: null,
    contextWindow: null,
    images: false,
  };
}

/** Returns the folder of a package, also from the address of its configuration, and from other names of Hugging Face. */
function folderOf(address: string): string {
  const url = new URL(address.replace(ON_HUB, HUGGING_FACE));
  url.pathname = url.pathname.replace(/\/mlc-chat-config\.json$/, '/');
  return url.href;
}
