export { classicMachine } from './classic/machine.js';
export { codingMachine } from './coding/machine.js';
export { documentedMachines } from './documented-machines.js';
export { renderMachinesPage } from './machines-page.js';
export { workMachine } from './work/machine.js';
export * from './drill/machine.js';
export * from './drill/mode.js';
export * from './mode.js';
export * from './mode-registry.js';
