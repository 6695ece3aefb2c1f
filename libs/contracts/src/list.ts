import { z } from 'zod';

export const PAGE_LIMIT = 200;

export const pageQuery = {
  cursor: z.string().min(1).max(500).optional().describe('`nextCursor` of the page before'),
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT).default(50),
};

export const PageQuery = z.strictObject(pageQuery);
export type PageQuery = z.infer<typeof PageQuery>;

export const listOf = <S extends z.ZodType>(item: S) =>
  z.strictObject({ data: z.array(item), nextCursor: z.string().nullable() });

export interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
}
