import { register } from '../tabserve.js';

register();
