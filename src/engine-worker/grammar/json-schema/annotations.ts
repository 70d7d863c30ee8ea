/** Keywords that only describe a schema, and say nothing about its values. */
export const ANNOTATIONS: readonly string[] = ['title', 'description', 'default', 'examples', 'deprecated', '$comment'];
