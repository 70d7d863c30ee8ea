import { documentPolicy } from '../privacy/document-policy.ts';

/** The sources beside this site that the Content-Security-Policy in force allows fetching from. */
export async function policySources(): Promise<readonly string[]> {
  const policy = await documentPolicy();
  const directive = policy
    ?.split(';')
    .map((part) => part.trim().split(/\s+/))
    .find(([name]) => name === 'connect-src');
  return directive?.slice(1).filter((source) => source !== "'self'" && source !== 'data:') ?? [];
}
