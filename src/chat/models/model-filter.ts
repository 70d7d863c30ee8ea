import type { ModelListing } from '../../shared/models/model-management.ts';
import { modelName } from '../common/model-name.ts';
import { judgeModel, type Device, type Fitness } from './judge-model.ts';

export type Ability = 'any' | 'thinking' | 'images' | 'embedding';
export type Order = 'family' | 'smallest' | 'largest' | 'name';

/** Which models are listed: those that suit this device, also those that run slowly or may not run, or all. */
export type Fit = 'suits' | 'may-run' | 'all';

export interface ModelFilter {
  /** Words that must all occur in name, id, family or licence. */
  readonly text: string;
  /** Empty for every family. */
  readonly family: string;
  readonly ability: Ability;
  readonly order: Order;
  readonly fit: Fit;
}

export const EVERYTHING_THAT_SUITS: ModelFilter = {
  text: '',
  family: '',
  ability: 'any',
  order: 'family',
  fit: 'suits',
};

export function filterModels(
  models: readonly ModelListing[],
  filter: ModelFilter,
  device: Device,
): readonly ModelListing[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return models
    .filter((model) => {
      if (!FITTING[filter.fit].includes(judgeModel(model, device))) return false;
      if (filter.family !== '' && model.family !== filter.family) return false;
      if (filter.ability !== 'any' && !model[filter.ability]) return false;
      const text = `${modelName(model.id)} ${model.id} ${model.family} ${model.licence ?? ''}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted(ORDERS[filter.order]);
}

export function familiesOf(models: readonly ModelListing[]): readonly string[] {
  return [...new Set(models.map(({ family }) => family))].toSorted((a, b) => a.localeCompare(b));
}

const FITTING: Record<Fit, readonly Fitness[]> = {
  suits: ['suits'],
  'may-run': ['suits', 'slow', 'tight', 'doubtful'],
  all: ['suits', 'slow', 'tight', 'doubtful', 'no'],
};

/** Models whose value is unknown come last, whether the order ascends or descends. */
const ORDERS: Record<Order, (a: ModelListing, b: ModelListing) => number> = {
  family: (a, b) => a.family.localeCompare(b.family) || ORDERS.smallest(a, b),
  smallest: (a, b) => (sizeOf(a) ?? Infinity) - (sizeOf(b) ?? Infinity) || a.id.localeCompare(b.id),
  largest: (a, b) => (sizeOf(b) ?? -1) - (sizeOf(a) ?? -1) || a.id.localeCompare(b.id),
  name: (a, b) => a.id.localeCompare(b.id),
};

/** Bytes of a download, which a card shows first; those of the memory if the download's are unknown. */
function sizeOf({ downloadBytes, memoryBytes }: ModelListing): number | null {
  return downloadBytes ?? memoryBytes;
}
