import type { Change } from '../targets/change.js';

/** What lies are made of. */
export const openai = { protocol: 'openai' } as const;
export const errand = { mode: 'errand' } as const;
/** No reviewer reports the bug, so nothing but the proof can notice the lie. */
export const unreported = { believes: { findings: [] } } as const;
export const INDEX = 'index.js';

export const edit = (path: string, old: string, text: string): Change => ({ edits: [{ path, old, new: text }] });

const STRICT_MODE = "'use strict';\n";
/** Puts code at the top of the module under test. */
export const atTop = (code: string): Change => edit(INDEX, STRICT_MODE, `${STRICT_MODE}${code}\n`);
