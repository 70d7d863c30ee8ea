/** The key that every installation accepts from its own pages. */
export const LOCAL_KEY = 'local';

/** Address of a route below `v1/`, beside this page. */
export function endpoint(path: string): string {
  return `v1/${path}`;
}
