import { installReadyMade } from './lifecycle/install-ready-made.ts';

installReadyMade();
