/** Whether a file is a model, judged by its name. */
export function isModelFile({ name }: File): boolean {
  return /\.gguf$/i.test(name);
}
