import type { UpstreamRoute } from '../../shared/upstreams/upstream.ts';
import { formatBytes } from './format.ts';
import { localized } from './page-language.ts';

export const upstreamStrings = localized('upstreamStrings', {
  title: 'Answers from elsewhere',
  introduction:
    'This site names the servers below, which can answer where this device cannot. Nothing is sent to one before you allow it here. Then your question, the conversation before it and its settings go to that server, and whoever runs it can read them.',
  formerly: 'No server that this site names was found. Below is what is left of those that you allowed earlier.',
  rules: {
    local: 'never asked',
    'prefer-local':
      'asked only where this device cannot answer: no WebGPU, a model that is not here, a text that is too long',
    upstream: 'asked for every question to these models',
  } satisfies Record<UpstreamRoute, string>,
  models: (models: readonly string[]) => `Models: ${models.join(', ')}`,
  key: 'Key of this server, if it wants one',
  keyNote: 'It is kept in this browser and sent to this server only. Nothing shows it again.',
  hasKey: 'With the key you typed.',
  allow: (name: string) => `Allow ${name}`,
  allowed: 'Allowed.',
  notAllowed: 'Not allowed: nothing is sent there.',
  revoke: (name: string) => `Stop allowing ${name}`,
  offer: (name: string, origin: string) =>
    `This device cannot run a model, but ${name} (${origin}) can answer in its place. Your questions would be sent there, and whoever runs it could read them.`,
  inPlace: (name: string, origin: string) =>
    `This device cannot run a model. You have allowed ${name} (${origin}) to answer in its place: choose one of its models below. Your questions are sent there.`,

  withKey: 'More about it, and a field for its key',

  sent: 'What was sent',
  sentNone: 'No request to any of them is recorded.',
  sentSome: (count: number, bytes: number) =>
    `${count} ${count === 1 ? 'request' : 'requests'}, ${formatBytes(bytes)} in all, newest first.`,
  bytes: formatBytes,

  madeHere: 'on this device',
  madeBy: (name: string) => `by ${name}, not on this device`,
});

/** Whether an {@link ENGINE_HEADER} tells that the answer came from an upstream. */
export function isMadeElsewhere(engine: string | null | undefined): engine is string {
  return !!engine && !/^local(;|$)/.test(engine);
}

/** The value of an {@link ENGINE_HEADER} as text; null without one. */
export function madeWhere(engine: string | null | undefined): string | null {
  if (!engine) return null;
  return isMadeElsewhere(engine) ? upstreamStrings.madeBy(engine.replace('upstream:', '')) : upstreamStrings.madeHere;
}
