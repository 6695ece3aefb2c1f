export * from './sabotage.js';
export * from './simulate.js';
export { Random } from './random.js';
