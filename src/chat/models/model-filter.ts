import type { DeviceFit, ModelListing } from '../../shared/models/model-management.ts';
import { modelName } from '../common/model-name.ts';

export type Ability = 'any' | 'thinking' | 'images' | 'embedding';
export type Order = 'memory' | 'parameters' | 'name';

/** Which models are listed: those that run on this device, those and the ones that may run, or all. */
export type Fit = 'runs' | 'may-run' | 'all';

export interface ModelFilter {
  /** Words that must all occur in name, id, family or licence. */
  readonly text: string;
  /** Empty for every family. */
  readonly family: string;
  readonly ability: Ability;
  readonly order: Order;
  readonly fit: Fit;
}

export const EVERYTHING_THAT_RUNS: ModelFilter = {
  text: '',
  family: '',
  ability: 'any',
  order: 'memory',
  fit: 'runs',
};

export function filterModels(models: readonly ModelListing[], filter: ModelFilter): readonly ModelListing[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return models
    .filter((model) => {
      if (!FITTING[filter.fit].includes(model.fit.verdict)) return false;
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

const FITTING: Record<Fit, readonly DeviceFit['verdict'][]> = {
  runs: ['yes'],
  'may-run': ['yes', 'doubtful'],
  all: ['yes', 'doubtful', 'no'],
};

/** Models whose value is unknown come last, whether the order ascends or descends. */
const ORDERS: Record<Order, (a: ModelListing, b: ModelListing) => number> = {
  memory: (a, b) => (a.memoryBytes ?? Infinity) - (b.memoryBytes ?? Infinity) || a.id.localeCompare(b.id),
  parameters: (a, b) => (b.parameters ?? -1) - (a.parameters ?? -1) || a.id.localeCompare(b.id),
  name: (a, b) => a.id.localeCompare(b.id),
};
