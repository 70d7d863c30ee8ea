// Models of the catalogue are downloaded from this server instead of the public ones.
self.tabserve = {
  catalogue: { base: 'https://models.example/' },
  builtInModels: [],
  default: 'TinyLlama-1.1B-Chat-v1.0-q4f32_1-MLC',
};
importScripts('tabserve-service-worker.js');
