import { hash } from 'node:crypto';

/** In one call: making a hash object for each short text costs more than hashing it. */
export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data, 'hex');
