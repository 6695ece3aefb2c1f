import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EngineBug, errorMessage, UserError } from '#kernel';
import { nanoPerMillion } from './nano-usd.js';
import type { ClassPrices, Price } from './price.js';
import { PriceBook } from './price-book.js';
import { PriceTable } from './price-table.js';

/** The user's own prices, where a file is named, before those that come with the project. */
export function openPriceBook(userFile: string | null): PriceBook {
  const shipped = shippedFile();
  const tables = [PriceTable.parse(readFileSync(shipped, 'utf8'), shipped)];
  if (userFile !== null) tables.unshift(PriceTable.parse(readUserFile(userFile), userFile));
  return new PriceBook(tables);
}

/** What a call counts whose price nobody knows: USD for a million tokens in and out, whatever their class. */
export function worstPriceOf({ input, output }: { readonly input: string; readonly output: string }): Price {
  const [into, out] = [nanoPerMillion(input), nanoPerMillion(output)];
  if (into === null || out === null) {
    throw new UserError('PRICES_INVALID', `the worst-case price ${input}/${output} is none: write it as in 15/75`);
  }
  const classes: ClassPrices = {
    input: into,
    output: out,
    cacheRead: into,
    cacheWrite: into,
    longCacheWrite: into,
    reasoning: out,
  };
  return { version: 'worst-case', classes, thresholds: [] };
}

/** In the `prices` folder above this file: the same one from source and from `dist`. */
function shippedFile(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, 'prices', 'models.yaml');
    if (existsSync(file)) return file;
    if (folder === dirname(folder))
      throw new EngineBug('PRICES_NOT_FOUND', 'this installation has no prices/models.yaml');
  }
}

function readUserFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError('PRICES_INVALID', `the file of prices ${file} cannot be read: ${errorMessage(error)}`);
  }
}
