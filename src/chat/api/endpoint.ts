/** The key that every installation accepts from its own pages. */
export const LOCAL_KEY = 'local';

/** Address of a route below `/v1/`. */
export function endpoint(path: string): string {
  return `${import.meta.env.BASE_URL}v1/${path}`;
}
