import { isUuid, UserError } from '#kernel';

/** Opaque to clients: where a page ended, in the order of its list. */
const encode = (position: readonly string[]): string => Buffer.from(JSON.stringify(position)).toString('base64url');

/** The position again. Thrown as CURSOR_INVALID for anything that `encode` did not make for this list. */
function decode(cursor: string, isPosition: (position: readonly string[]) => boolean): readonly string[] {
  const position = parsed(cursor);
  if (position && encode(position) === cursor && isPosition(position)) return position;
  throw new UserError(
    'CURSOR_INVALID',
    'The cursor is not one of this list. Use `nextCursor` of the page before, or leave it out to begin anew.',
  );
}

function parsed(cursor: string): string[] | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : null;
  } catch {
    return null;
  }
}

/** Lists in the order of a time, with the id to tell equal times apart. */
export const encodeTimeCursor = (at: Date, id: string): string => encode([at.toISOString(), id]);

export function decodeTimeCursor(cursor: string): { readonly at: Date; readonly id: string } {
  const [at = '', id = ''] = decode(cursor, ([time = '', uuid = '', ...rest]) => {
    return rest.length === 0 && isUuid(uuid) && isTime(time);
  });
  return { at: new Date(at), id };
}

/** `toISOString` throws for a time that is none. */
const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;

/** Lists in the order of a number. */
export const encodeNumberCursor = (number: number): string => encode([String(number)]);

export const decodeNumberCursor = (cursor: string): number =>
  Number(decode(cursor, (position) => position.length === 1 && /^\d{1,9}$/.test(position[0] ?? ''))[0]);
