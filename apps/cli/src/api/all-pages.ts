import type { AnswerOf, Page, Route } from '#contracts';
import type { Asking, Client } from './client.js';

const PAGE = 200;

/** A whole list, or its first `most` entries, in as many pages as it takes. */
export async function allPages<const R extends Route>(
  api: Client,
  route: R & (AnswerOf<R> extends Page<unknown> ? R : never),
  asking: Asking = {},
  most = Infinity,
): Promise<Page<EntryOf<R>>> {
  const data: EntryOf<R>[] = [];
  let cursor: string | null = null;
  do {
    const limit = Math.min(PAGE, most - data.length);
    const query = { ...asking.query, limit, ...(cursor !== null && { cursor }) };
    const page = (await api.call(route, { ...asking, query })) as unknown as Page<EntryOf<R>>;
    data.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== null && data.length < most);
  return { data, nextCursor: cursor };
}

type EntryOf<R extends Route> = AnswerOf<R> extends Page<infer T> ? T : never;
