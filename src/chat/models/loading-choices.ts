import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { ModelListing } from '../../shared/models/model-management.ts';
import { modelStrings } from '../strings/model-strings.ts';

/** Offered times in seconds after which an unused model is unloaded. Negative: it stays loaded. */
const TIMES = [-1, 0, 60, 300, 900, 3600];

/**
 * Renders the choice of how many requests a model answers at once, with the memory that the further ones take; nothing
 * if it can answer only one.
 * @param choose Called with the chosen number.
 */
export function parallelChoice(
  { settings }: ModelListing,
  choose: (requests: number) => void,
): TemplateResult | typeof nothing {
  if (settings === undefined || settings.mostParallel < 2) return nothing;
  const { parallel, mostParallel, bytesPerRequest } = settings;
  const numbers = Array.from({ length: Math.max(parallel, mostParallel) }, (_, index) => index + 1);
  const extra = (requests: number) => (bytesPerRequest === null ? null : (requests - 1) * bytesPerRequest);
  return choice(
    'parallel',
    modelStrings.parallel,
    numbers.map((requests) => [requests, modelStrings.requests(requests, extra(requests))]),
    parallel,
    choose,
    modelStrings.parallelNote,
  );
}

/**
 * Renders the choice of when an unused model is unloaded; nothing for a model of the site, which decides it.
 * @param choose Called with a number of seconds, which is negative if the model stays loaded.
 */
export function keepAliveChoice(
  { settings }: ModelListing,
  choose: (seconds: number) => void,
): TemplateResult | typeof nothing {
  if (settings === undefined) return nothing;
  const now = Math.max(-1, settings.keepAlive);
  const times = [...new Set([...TIMES, now])].toSorted((one, other) => one - other);
  return choice(
    'keep-alive',
    modelStrings.keepAlive,
    times.map((seconds) => [seconds, modelStrings.keepAliveTime(seconds)]),
    now,
    choose,
    modelStrings.keepAliveNote,
  );
}

function choice(
  name: string,
  label: string,
  options: readonly (readonly [value: number, words: string])[],
  now: number,
  choose: (value: number) => void,
  note: string,
): TemplateResult {
  return html`<label class="window small">
      <span>${label}</span>
      <select
        aria-describedby="${name}-note"
        @change=${({ target }: Event) => choose(Number((target as HTMLSelectElement).value))}
      >
        ${options.map(([value, words]) => html`<option value=${value} .selected=${live(value === now)}>${words}</option>`)}
      </select>
    </label>
    <p class="small quiet" id="${name}-note">${note}</p>`;
}
