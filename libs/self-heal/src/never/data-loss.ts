import type { ChangedFile } from './diff-files.js';

/** Where tools keep migrations: a folder of theirs, or Flyway's names. */
const MIGRATION =
  /(?:^|\/)(?:migrations?|migrate|alembic|flyway|liquibase|changelogs?)\/|(?:^|\/)[VR]\d{0,20}(?:[._]\d{1,9}){0,9}__[^/]{1,200}\.sql$/i;
/** A file that is only the way back. */
const DOWN_FILE = /(?:^|[/._-])down\.(?:sql|[cm]?[jt]s|py|rb)$/i;

/** Sections of a migration that go back: what they drop, the way there has made. */
const DOWN =
  /\b(?:def |function |async |public |protected )?(?:down|downgrade|rollback)\b ?(?:\(|=|:|$)|^-- ?(?:\+goose|\+migrate|migrate:) ?down\b/i;
const UP = /\b(?:up|upgrade|change)\b ?(?:\(|=|:|$)|^-- ?(?:\+goose|\+migrate|migrate:) ?up\b/i;

/** SQL, and the calls of Knex, Sequelize, TypeORM, Rails, Alembic, Django and Laravel. */
const DROPS: readonly RegExp[] = [
  /\bDROP\s{1,20}(?:TABLE|COLUMN|SCHEMA|DATABASE|MATERIALIZED\s{1,20}VIEW)\b/i,
  /\bTRUNCATE\b(?:\s{1,20}TABLE\b)?\s{1,20}["\u0060[\w]/i,
  /\b(?:dropTable|dropTableIfExists|dropColumns?|removeColumns?|dropSchema|dropIfExists)\s{0,4}\(/,
  /\b(?:drop_table|drop_column|remove_columns?|DeleteModel|RemoveField)\b/,
];
const DELETES = /\bDELETE\s{1,20}FROM\s{1,20}["\u0060[\w.\]]{1,200}/i;

/** Prisma, Drizzle and their like ask before they drop something. */
const ASKS: readonly RegExp[] = [
  /--accept-data-loss\b/,
  /\b(?:might|may|will|would|could) (?:be|cause|result in|lead to) (?:some )?(?:possible |potential )?data[ -]loss\b/i,
  /\byou are about to (?:drop|delete|truncate) the (?:column|table)\b/i,
  /\bdata[ -]loss (?:warnings?|statements?)\b/i,
];

export const asksForDataLoss = (line: string): boolean => ASKS.some((asks) => asks.test(line));

/** Why a migration would lose data; null where it would not. Only lines that were added count, and only the way there. */
export function dataLoss({ path, lines }: ChangedFile): string | null {
  if (!MIGRATION.test(path) || DOWN_FILE.test(path)) return null;
  return statementsOf(lines).some(isLoss) ? `it adds a migration that drops data: ${path}` : null;
}

function isLoss(statement: string): boolean {
  if (DROPS.some((drops) => drops.test(statement))) return true;
  return DELETES.test(statement) && !/\bWHERE\b/i.test(statement);
}

function statementsOf(lines: readonly string[]): string[] {
  let isDown = false;
  const added: string[] = [];
  for (const line of lines) {
    const text = line.slice(1).trim();
    if (DOWN.test(text)) isDown = true;
    else if (UP.test(text)) isDown = false;
    const isComment = text.startsWith('--') || text.startsWith('//') || text.startsWith('#');
    if (line.startsWith('+') && !isDown && !isComment) added.push(text);
  }
  return added.join('\n').split(';');
}
