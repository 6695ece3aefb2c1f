import type pg from 'pg';
import { type LinkBody, linkFault, readBody, type StoredLink } from '#checkpoints';
import { loadContents, loadLinks } from './load-project.js';

/** What a project's row says of its newest link. */
export interface HeadRow {
  readonly id: string;
  readonly version: number;
  readonly head_checksum: string;
}

export type ProjectHead =
  | {
      readonly kind: 'sound';
      readonly link: StoredLink;
      readonly body: LinkBody;
      readonly contents: ReadonlyMap<string, Buffer>;
    }
  | { readonly kind: 'bad'; readonly reason: string };

/** The newest link of a project with its values, if it can be trusted. */
export async function loadHead(
  client: Pick<pg.Pool | pg.PoolClient, 'query'>,
  { id, version, head_checksum }: HeadRow,
  sealingKey: string | null,
): Promise<ProjectHead> {
  const [link] = await loadLinks(client, id, version);
  if (!link) return { kind: 'bad', reason: 'the link is missing' };
  const contents = await loadContents(client, Object.values(link.manifest));
  const fault = linkFault(link, id, (hash) => contents.get(hash), sealingKey);
  if (fault !== null) return { kind: 'bad', reason: fault };
  if (link.checksum !== head_checksum) {
    return { kind: 'bad', reason: 'the newest link is not the one the project was left with' };
  }
  const body = readBody(link);
  return body ? { kind: 'sound', link, body, contents } : { kind: 'bad', reason: 'the body is not readable' };
}
