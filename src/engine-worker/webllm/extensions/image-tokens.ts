import type { Extension } from '../pipeline/extension.ts';
import type { WebLlmPipeline } from '../pipeline/webllm-pipeline.ts';

/** The text that WebLLM appends to each image, by model type. */
const SUFFIXES: Readonly<Partial<Record<string, string>>> = { phi3_v: '\n' };

/**
 * Returns the tokens that an image takes, including the markers around it. @throws any error of the browser or of
 * WebLLM if the data are not an image.
 */
export type CountImageTokens = (url: string) => Promise<number>;

/** Counts the tokens that WebLLM needs for an image; `url` is a `data:` address. */
export const IMAGE_TOKENS: Extension<'image-tokens', CountImageTokens> = {
  name: 'image-tokens',
  needs: ['computeImageEmbedSize', 'config', 'tokenizer.encode'],
  replaces: [],
  gain: 'The tokens of a prompt with images can be counted before it is sent.',
  apply: (pipeline) => ({ handle: (url) => countTokens(pipeline, url) }),
};

async function countTokens(pipeline: WebLlmPipeline, url: string): Promise<number> {
  const { artifact, config, tokenizer } = pipeline;
  // A model with a manifest resizes every image to one size.
  if (artifact?.imageInput) {
    const { processor, prompt } = artifact.imageInput;
    return prompt.prefix_token_ids.length + processor.num_embeddings + prompt.suffix_token_ids.length;
  }
  const image = await createImageBitmap(await (await fetch(url)).blob());
  const { width, height } = image;
  image.close();
  const { vision_start_token_id, boi_token_index, vision_end_token_id, eoi_token_index } = config.model_config ?? {};
  const markers = [vision_start_token_id ?? boi_token_index, vision_end_token_id ?? eoi_token_index];
  const around = markers.filter((marker) => marker !== undefined).length;
  const suffix = tokenizer.encode(SUFFIXES[config.model_type ?? ''] ?? '').length;
  return pipeline.computeImageEmbedSize(height, width) + around + suffix;
}
