// Every model of the catalogue comes from this server, and none from the public ones.
self.tabserve = {
  catalogue: { base: 'https://models.example/' },
  builtInModels: [],
  default: 'TinyLlama-1.1B-Chat-v1.0-q4f32_1-MLC',
};
importScripts('tabserve-service-worker.js');
