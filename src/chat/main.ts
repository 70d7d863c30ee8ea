import { BUILT_IN_MODEL_ID } from '../shared/built-in-model.ts';
console.log(BUILT_IN_MODEL_ID);
const w = new SharedWorker(new URL('../engine-worker/engine-worker.ts', import.meta.url), { type: 'module' });
console.log(w);
