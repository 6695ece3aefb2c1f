export { classifyRun, type Run, type RunKind } from './classify-red.js';
export { type DiffFacts, explainsAbsence } from './explains-absence.js';
export { type FocusFacts, focusedCommand } from './focus/focused-command.js';
