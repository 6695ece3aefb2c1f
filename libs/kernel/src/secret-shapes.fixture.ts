/** Texts that look like keys, made as they are needed: written down they would be taken for somebody's. */
const cycled = (from: string, length: number): string => from.repeat(Math.ceil(length / from.length)).slice(0, length);

export const letters = (length: number): string => cycled('qwertyuiopasdfghjklzxcvbnm', length);
export const jumble = (length: number): string => cycled('aB3dE5gHi7jKLm9', length);
export const hex = (length: number): string => cycled('3f9a0b7c2e1d84', length);
export const base64 = (length: number): string => cycled('Zb3kQe+x9LmWv/7TyhRd0Ns', length);
export const uuid = (): string => [8, 4, 4, 4, 12].map(hex).join('-');
/** Lines as in the middle of a private key. */
export const pemLines = (count: number): string => Array.from({ length: count }, () => base64(64)).join('\n');
