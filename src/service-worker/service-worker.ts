import { installReadyMade } from './install-ready-made.ts';

installReadyMade();
