export * from './admit-command.js';
export * from './command-events.js';
export * from './control-file/control-page.js';
export * from './control-file/mark.js';
export * from './control-file/read-control.js';
export * from './control-file/reconcile.js';
export * from './status/status-page.js';
