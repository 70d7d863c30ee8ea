self.tabserve = {
  builtInModels: [],
  models: [
    {
      id: 'pocket',
      contextWindow: 2048,
      vocabularySize: 2048,
      modelUrl: 'https://cdn.example/tabserve/models/pocket/',
      libraryUrl: 'https://cdn.example/tabserve/models/pocket/pocket.wasm',
    },
  ],
};
importScripts('https://cdn.example/tabserve/tabserve-service-worker.js');
