export { createTabserve, type TabserveProviderOptions } from './create-tabserve.ts';
export { fileSearch, type FileSearchOptions, type FoundPassage } from './file-search.ts';
