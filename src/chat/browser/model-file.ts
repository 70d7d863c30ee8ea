/** Whether a file is a model by its name. */
export function isModelFile({ name }: File): boolean {
  return /\.gguf$/i.test(name);
}
