/** The part of WebLLM's object for a loaded model that tells how many tokens an image takes. */
export interface ImagePipeline {
  /** Of a model without a manifest. */
  computeImageEmbedSize?(height: number, width: number): number;
  readonly config?: {
    readonly model_type?: string;
    readonly model_config?: Readonly<Partial<Record<string, number>>>;
  };
  /** Set for models with a manifest. */
  readonly artifact?: {
    readonly imageInput?: {
      readonly processor: { readonly num_embeddings: number };
      readonly prompt: { readonly prefix_token_ids: readonly number[]; readonly suffix_token_ids: readonly number[] };
    };
  };
}

/** What WebLLM writes behind each image for models of this type. */
const BEHIND: Readonly<Partial<Record<string, string>>> = { phi3_v: '\n' };

/**
 * How many tokens WebLLM reads an image as, with the markers that it puts around it.
 * @param url A `data:` address.
 * @param encode Tokens of a text.
 * @throws whatever the browser does, or WebLLM, for what is no image, or for a model that takes none.
 */
export async function imageTokens(
  pipeline: ImagePipeline,
  url: string,
  encode: (text: string) => ArrayLike<number>,
): Promise<number> {
  const { artifact, config = {} } = pipeline;
  // A model with a manifest is shown every image in one size.
  if (artifact?.imageInput) {
    const { processor, prompt } = artifact.imageInput;
    return prompt.prefix_token_ids.length + processor.num_embeddings + prompt.suffix_token_ids.length;
  }
  if (!pipeline.computeImageEmbedSize) throw new Error('This WebLLM does not tell how many tokens an image has.');
  const image = await createImageBitmap(await (await fetch(url)).blob());
  const { width, height } = image;
  image.close();
  const { vision_start_token_id, boi_token_index, vision_end_token_id, eoi_token_index } = config.model_config ?? {};
  const markers = [vision_start_token_id ?? boi_token_index, vision_end_token_id ?? eoi_token_index];
  const around = markers.filter((marker) => marker !== undefined).length;
  const behind = encode(BEHIND[config.model_type ?? ''] ?? '').length;
  return pipeline.computeImageEmbedSize(height, width) + around + behind;
}
