import { install } from './install.ts';

install();
