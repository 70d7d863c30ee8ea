import { tabserve } from 'tabserve/vite';

export default { plugins: [tabserve()] };
