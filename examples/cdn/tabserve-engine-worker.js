import 'https://cdn.example/tabserve/tabserve-engine-worker.js';
